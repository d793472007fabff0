-- Keys that are bound to collections, quotas, and who owns what was started.

-- A bound key sees these collections and nothing else; empty: all of them. It is an array and no table with foreign keys on purpose: a
-- collection that is deleted must leave a key that sees nothing, never one that has become free.
-- Quotas: null is the default of the settings, 0 is no limit.
ALTER TABLE api_keys
  ADD COLUMN collections uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN max_open_crawls int CHECK (max_open_crawls >= 0),
  ADD COLUMN max_pages_per_day int CHECK (max_pages_per_day >= 0);
COMMENT ON COLUMN api_keys.collections IS 'The collections it is bound to; empty: none, it sees all. A deleted one stays in the list.';
COMMENT ON COLUMN api_keys.max_open_crawls IS 'Crawls it may have open at once; null: the default of the settings, 0: no limit.';
COMMENT ON COLUMN api_keys.max_pages_per_day IS 'Pages its crawls may store in a UTC day; null: the default of the settings, 0: no limit.';

ALTER TABLE users
  ADD COLUMN max_open_crawls int CHECK (max_open_crawls >= 0),
  ADD COLUMN max_pages_per_day int CHECK (max_pages_per_day >= 0);
COMMENT ON COLUMN users.max_open_crawls IS 'Over all keys of the person; null: the default of the settings, 0: no limit.';
COMMENT ON COLUMN users.max_pages_per_day IS 'Over all keys of the person; null: the default of the settings, 0: no limit.';

-- user_id: the person behind created_by, also where that was a key. It is written when the crawl starts, so that the crawls of a key
-- that is revoked later still count for its person.
-- is_bound: a key bound to collections started it: it changes no document of another collection.
ALTER TABLE crawls
  ADD COLUMN user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  ADD COLUMN is_bound boolean NOT NULL DEFAULT false;
COMMENT ON CONSTRAINT crawls_user_id_fkey ON crawls IS 'crawls stay when the person who started them goes';
CREATE INDEX crawls_user_idx ON crawls (user_id, id) WHERE user_id IS NOT NULL;
COMMENT ON INDEX crawls_user_idx IS 'pages through the crawls of a person, by key or by hand';
CREATE INDEX crawls_open_owner_idx ON crawls (owner) WHERE owner IS NOT NULL AND status IN ('pending', 'running', 'paused');
COMMENT ON INDEX crawls_open_owner_idx IS 'a quota counts the few open crawls of a key, however many there were';
CREATE INDEX crawls_open_user_idx ON crawls (user_id) WHERE user_id IS NOT NULL AND status IN ('pending', 'running', 'paused');
COMMENT ON INDEX crawls_open_user_idx IS 'a quota counts the few open crawls of a person, however many there were';

-- The runs of a source count for who added it.
ALTER TABLE sources
  ADD COLUMN created_by text NOT NULL DEFAULT 'system',
  ADD COLUMN user_id uuid REFERENCES users (id) ON DELETE SET NULL;
COMMENT ON CONSTRAINT sources_user_id_fkey ON sources IS 'sources stay when the person who added them goes';
CREATE INDEX sources_user_idx ON sources (user_id) WHERE user_id IS NOT NULL;
COMMENT ON INDEX sources_user_idx IS 'deleting a person finds the sources they added';

-- There is no foreign key: a key that is revoked and made again must not start its person's day anew.
CREATE TABLE page_counts (
  owner uuid NOT NULL,
  day date NOT NULL,
  pages bigint NOT NULL,
  PRIMARY KEY (owner, day)
) WITH (fillfactor = 50);
COMMENT ON TABLE page_counts IS 'Pages stored in a UTC day, for each key and for each person; what quotas are held against.';
CREATE INDEX page_counts_day_idx ON page_counts (day);
COMMENT ON INDEX page_counts_day_idx IS 'the clean-up job removes days long past';
