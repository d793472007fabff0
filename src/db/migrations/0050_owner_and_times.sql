-- Who started a crawl, as one id, and when tasks and pairings last changed.

-- created_by says how a crawl came to be (key:ID, user:ID, schedule, …); owner is the id in it, so both cannot differ.
-- Null: the installation itself started it.
ALTER TABLE crawls ADD COLUMN owner uuid GENERATED ALWAYS AS (
  CASE WHEN created_by ~ '^(key|user):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN split_part(created_by, ':', 2)::uuid END
) STORED;
CREATE INDEX crawls_owner_idx ON crawls (owner, id) WHERE owner IS NOT NULL;
COMMENT ON INDEX crawls_owner_idx IS 'pages through the crawls of a user or key';

ALTER TABLE tasks ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE domain_proxies ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();

-- A trigger, because a dozen statements change these rows and each would have to remember.
CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_touch BEFORE UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION touch_row();
CREATE TRIGGER domain_proxies_touch BEFORE UPDATE ON domain_proxies FOR EACH ROW EXECUTE FUNCTION touch_row();
