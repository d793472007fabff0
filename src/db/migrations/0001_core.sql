-- The design's vocabulary. Ids are UUIDv7 made by the program, so rows are stored in the order they were made.
-- Times are timestamptz and compared with the database's own clock, never with a worker's.

-- Access -------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'admin')),
  must_change_password boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
COMMENT ON INDEX users_email_key IS 'login looks a person up by address, whatever its case';

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  csrf_token text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  ip text,
  user_agent text
);
CREATE INDEX sessions_user_idx ON sessions (user_id);
COMMENT ON INDEX sessions_user_idx IS 'ends all sessions of a person at once';
CREATE INDEX sessions_expiry_idx ON sessions (expires_at);
COMMENT ON INDEX sessions_expiry_idx IS 'the clean-up job removes what has expired';

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  scopes text[] NOT NULL DEFAULT '{read}',
  rate_limit_rpm int NOT NULL DEFAULT 60 CHECK (rate_limit_rpm > 0),
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  is_active boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (key_hash);
COMMENT ON INDEX api_keys_hash_key IS 'every request with a key looks it up by its hash';
CREATE INDEX api_keys_user_idx ON api_keys (user_id);
COMMENT ON INDEX api_keys_user_idx IS 'keys go with the person they belong to';

CREATE TABLE idempotency_keys (
  key text NOT NULL,
  caller text NOT NULL,
  route text NOT NULL,
  request_hash bytea NOT NULL,
  status int,
  response jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, route, key)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
COMMENT ON INDEX idempotency_keys_age_idx IS 'the clean-up job removes keys after a day';

-- Organise -----------------------------------------------------------------------------------------------------------

CREATE TABLE collections (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tags (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name = lower(name)),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE crawl_configs (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  options jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Politeness ---------------------------------------------------------------------------------------------------------

-- One row a domain: its policy, and the gate through which every claim of its tasks goes.
--   waiting         true while pending tasks may exist; a claim that finds none clears it
--   next_at         no worker may send a request before this time
--   rate_limit_rps  null: the default of the settings; 0: no limit
--   crawl_delay_ms  what robots.txt asks for; throttle_ms  what the site's answers ask for (429, 503, slow answers)
CREATE TABLE domains (
  id uuid PRIMARY KEY,
  domain text NOT NULL UNIQUE,
  is_active boolean NOT NULL DEFAULT true,
  blocked_reason text,
  parser text,
  shadow_parser text,
  user_agent text,
  rate_limit_rps double precision CHECK (rate_limit_rps >= 0),
  crawl_delay_ms int NOT NULL DEFAULT 0,
  throttle_ms int NOT NULL DEFAULT 0,
  autothrottle boolean NOT NULL DEFAULT false,
  max_concurrency int CHECK (max_concurrency > 0),
  maintenance_windows jsonb NOT NULL DEFAULT '[]',
  recrawl_interval_s int,
  proxy_strategy text NOT NULL DEFAULT 'round_robin'
    CHECK (proxy_strategy IN ('round_robin', 'least_used', 'random', 'lru')),
  uses_proxies boolean NOT NULL DEFAULT false,
  waiting boolean NOT NULL DEFAULT false,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  circuit_state text NOT NULL DEFAULT 'closed' CHECK (circuit_state IN ('closed', 'open', 'half_open')),
  circuit_failures int NOT NULL DEFAULT 0,
  circuit_successes int NOT NULL DEFAULT 0,
  circuit_until timestamptz,
  circuit_threshold int,
  circuit_timeout_s int,
  latency_ms double precision,
  boilerplate jsonb,
  pages_fetched bigint NOT NULL DEFAULT 0,
  pages_failed bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX domains_due_idx ON domains (next_at) WHERE waiting AND is_active;
COMMENT ON INDEX domains_due_idx IS 'a claim reads only the domains that are due, however many wait';

-- When the maintenance window that holds `at` ends, or null outside all of them.
-- A window: {"days": [1,2,3,4,5], "from": "02:00", "to": "04:30", "time_zone": "Europe/Berlin"}; days are 0 (Sunday) to
-- 6, absent means every day; a window whose end is before its start runs over midnight.
CREATE FUNCTION maintenance_end(windows jsonb, at timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  entry jsonb;
  zone text;
  here timestamp;
  day date;
  opens timestamp;
  closes timestamp;
BEGIN
  FOR entry IN SELECT jsonb_array_elements(windows) LOOP
    zone := coalesce(entry ->> 'time_zone', 'UTC');
    here := at AT TIME ZONE zone;
    FOR day IN SELECT here::date - back FROM generate_series(0, 1) AS back LOOP
      CONTINUE WHEN entry ? 'days' AND NOT (entry -> 'days') @> to_jsonb(extract(dow FROM day)::int);
      opens := day + (entry ->> 'from')::time;
      closes := day + (entry ->> 'to')::time;
      IF closes <= opens THEN closes := closes + interval '1 day'; END IF;
      IF here >= opens AND here < closes THEN RETURN closes AT TIME ZONE zone; END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TABLE robots (
  origin text PRIMARY KEY,
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  status int,
  body text,
  state text NOT NULL CHECK (state IN ('rules', 'allow_all', 'unavailable')),
  crawl_delay_ms int,
  sitemaps text[] NOT NULL DEFAULT '{}',
  fetched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX robots_domain_idx ON robots (domain_id);
COMMENT ON INDEX robots_domain_idx IS 'shows the robots files of a domain';

-- off_by_health: failures turned it off, so a success or the health check may turn it on again; what a person turned off stays off.
CREATE TABLE proxies (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  url text NOT NULL,
  username text,
  password text,
  country_code text,
  provider text,
  is_active boolean NOT NULL DEFAULT true,
  off_by_health boolean NOT NULL DEFAULT false,
  failure_count int NOT NULL DEFAULT 0,
  success_count bigint NOT NULL DEFAULT 0,
  avg_response_ms double precision,
  last_used_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  checked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE domain_proxies (
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  proxy_id uuid NOT NULL REFERENCES proxies (id) ON DELETE CASCADE,
  is_active boolean NOT NULL DEFAULT true,
  off_by_health boolean NOT NULL DEFAULT false,
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  use_count bigint NOT NULL DEFAULT 0,
  success_count bigint NOT NULL DEFAULT 0,
  failure_count int NOT NULL DEFAULT 0,
  avg_response_ms double precision,
  last_used_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (domain_id, proxy_id)
);
CREATE INDEX domain_proxies_proxy_idx ON domain_proxies (proxy_id);
COMMENT ON INDEX domain_proxies_proxy_idx IS 'turning a proxy off reaches every domain that uses it';

-- Crawl --------------------------------------------------------------------------------------------------------------

--   waiting_since  a run has been due since then, and the one before it still goes on
--   last_error     why the latest run could not start
CREATE TABLE sources (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  crawl_config_id uuid REFERENCES crawl_configs (id) ON DELETE SET NULL,
  collection_id uuid REFERENCES collections (id) ON DELETE SET NULL,
  options jsonb NOT NULL DEFAULT '{}',
  schedule_cron text,
  time_zone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  next_run_at timestamptz,
  waiting_since timestamptz,
  last_crawled_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sources_due_idx ON sources (next_run_at) WHERE is_active AND next_run_at IS NOT NULL;
COMMENT ON INDEX sources_due_idx IS 'the scheduler reads only the sources whose time has come';
CREATE INDEX sources_config_idx ON sources (crawl_config_id);
COMMENT ON INDEX sources_config_idx IS 'deleting a config finds the sources that use it';
CREATE INDEX sources_collection_idx ON sources (collection_id);
COMMENT ON INDEX sources_collection_idx IS 'deleting a collection finds the sources that fill it';

-- tell_end: set by the statement that ends a crawl, cleared by the transaction that writes the messages about it.
CREATE TABLE crawls (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('urls', 'batch', 'deep', 'source', 'recurring')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  urls text[] NOT NULL,
  strategy text NOT NULL DEFAULT 'bfs' CHECK (strategy IN ('bfs', 'dfs', 'best_first')),
  max_depth int NOT NULL DEFAULT 0,
  max_pages int NOT NULL DEFAULT 1,
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  keywords text[] NOT NULL DEFAULT '{}',
  score_threshold double precision NOT NULL DEFAULT 0,
  options jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  source_id uuid REFERENCES sources (id) ON DELETE SET NULL,
  crawl_config_id uuid REFERENCES crawl_configs (id) ON DELETE SET NULL,
  collection_id uuid REFERENCES collections (id) ON DELETE SET NULL,
  webhook_url text,
  webhook_headers jsonb NOT NULL DEFAULT '{}',
  pages_discovered int NOT NULL DEFAULT 0,
  pages_crawled int NOT NULL DEFAULT 0,
  pages_failed int NOT NULL DEFAULT 0,
  pages_skipped int NOT NULL DEFAULT 0,
  pages_cancelled int NOT NULL DEFAULT 0,
  current_depth int NOT NULL DEFAULT 0,
  links_refused jsonb NOT NULL DEFAULT '{}',
  admit_at timestamptz NOT NULL DEFAULT '-infinity',
  holds int NOT NULL DEFAULT 0,
  tell_end boolean NOT NULL DEFAULT false,
  error text,
  error_code text,
  created_by text NOT NULL DEFAULT 'system',
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX crawls_source_idx ON crawls (source_id) WHERE source_id IS NOT NULL;
COMMENT ON INDEX crawls_source_idx IS 'lists the runs of a source';
CREATE INDEX crawls_status_idx ON crawls (status, id);
COMMENT ON INDEX crawls_status_idx IS 'lists crawls by status, newest last';
CREATE INDEX crawls_config_idx ON crawls (crawl_config_id);
COMMENT ON INDEX crawls_config_idx IS 'deleting a config finds the crawls that used it';
CREATE INDEX crawls_collection_idx ON crawls (collection_id);
COMMENT ON INDEX crawls_collection_idx IS 'deleting a collection finds the crawls that fed it';

CREATE INDEX crawls_tell_idx ON crawls (completed_at) WHERE tell_end;
COMMENT ON INDEX crawls_tell_idx IS 'crawls whose end nobody was told of yet';

-- Adds up why links were refused: {"CODE": {"count": n, "samples": [the first twenty addresses]}}.
CREATE FUNCTION merge_refused(known jsonb, more jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN more = '{}' THEN known ELSE known || (
    SELECT jsonb_object_agg(code, jsonb_build_object(
      'count', coalesce((known -> code ->> 'count')::int, 0) + (entry ->> 'count')::int,
      'samples', CASE WHEN jsonb_array_length(coalesce(known -> code -> 'samples', '[]')) >= 20 THEN known -> code -> 'samples'
        ELSE coalesce(known -> code -> 'samples', '[]') || (entry -> 'samples') END))
    FROM jsonb_each(more) AS e (code, entry)) END
$$;

-- One URL inside a crawl.
--   ready     false while due_at lies ahead (a retry, a planned visit); the claim index holds only ready rows
--   rank      the crawl's strategy as one number, smallest first
--   attempt   grows with every claim; a write that names an older attempt changes nothing
--   alone     the worker runs nothing else beside it: a task that was held when a worker vanished is tried this way,
--             and one that takes its worker along three times when alone is quarantined
--   retry_at  when a failed task is tried again by itself, as the round after dlq_retries
--   visit     0 for the first visit; a recurring task plans visit + 1 as a new row
CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  crawl_id uuid NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  domain_id uuid NOT NULL,
  parent_id uuid,
  url text NOT NULL,
  url_hash bytea NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN (
    'pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing',
    'completed', 'failed', 'skipped', 'paused', 'cancelled')),
  ready boolean NOT NULL DEFAULT true,
  rank double precision NOT NULL DEFAULT 0,
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  depth int NOT NULL DEFAULT 0,
  score double precision,
  due_at timestamptz NOT NULL DEFAULT now(),
  attempt int NOT NULL DEFAULT 0,
  failures int NOT NULL DEFAULT 0,
  lost_workers int NOT NULL DEFAULT 0,
  lost_alone int NOT NULL DEFAULT 0,
  dlq_retries int NOT NULL DEFAULT 0,
  retry_at timestamptz,
  alone boolean NOT NULL DEFAULT false,
  max_retries int NOT NULL DEFAULT 3,
  worker_id text,
  lease_until timestamptz,
  proxy_id uuid,
  http_status int,
  code text,
  message text,
  raw_ref text,
  raw_meta jsonb,
  document_id uuid,
  response_ms int,
  is_recurring boolean NOT NULL DEFAULT false,
  interval_s int,
  visit int NOT NULL DEFAULT 0,
  parse_only boolean NOT NULL DEFAULT false,
  quarantined boolean NOT NULL DEFAULT false,
  created_by text NOT NULL DEFAULT 'system',
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE UNIQUE INDEX tasks_url_key ON tasks (crawl_id, url_hash, visit);
COMMENT ON INDEX tasks_url_key IS 'a URL enters a crawl once; a planned visit is another row';
CREATE INDEX tasks_claim_idx ON tasks (domain_id, rank, priority, id) WHERE status = 'pending' AND ready;
COMMENT ON INDEX tasks_claim_idx IS 'the best task of a domain is its first entry';
CREATE INDEX tasks_due_idx ON tasks (due_at) WHERE status = 'pending' AND NOT ready;
COMMENT ON INDEX tasks_due_idx IS 'finds retries and planned visits whose time has come';
CREATE INDEX tasks_in_flight_idx ON tasks (domain_id, lease_until) WHERE status IN ('crawling', 'parsing');
COMMENT ON INDEX tasks_in_flight_idx IS 'counts what a domain has in flight; the reaper reads it whole, for it is as small as that is';
CREATE INDEX tasks_paused_idx ON tasks (crawl_id) WHERE status = 'paused';
COMMENT ON INDEX tasks_paused_idx IS 'finds what is paused among millions that wait';
CREATE INDEX tasks_list_idx ON tasks (crawl_id, id);
COMMENT ON INDEX tasks_list_idx IS 'pages through the tasks of a crawl';
CREATE INDEX tasks_failed_idx ON tasks (completed_at) WHERE status = 'failed';
COMMENT ON INDEX tasks_failed_idx IS 'the dead-letter list, and its retention';

CREATE INDEX tasks_retry_idx ON tasks (retry_at) WHERE status = 'failed' AND retry_at IS NOT NULL;
COMMENT ON INDEX tasks_retry_idx IS 'failed tasks that are tried again by themselves';

CREATE TABLE task_errors (
  id uuid PRIMARY KEY,
  task_id uuid NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  attempt int NOT NULL,
  category text NOT NULL CHECK (category IN ('network', 'http', 'robots', 'parse', 'validation', 'internal')),
  code text NOT NULL,
  message text NOT NULL,
  stack text,
  worker_id text,
  proxy_id uuid,
  occurred_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX task_errors_task_idx ON task_errors (task_id, id);
COMMENT ON INDEX task_errors_task_idx IS 'shows the attempts of a task in order';
CREATE INDEX task_errors_time_idx ON task_errors (occurred_at);
COMMENT ON INDEX task_errors_time_idx IS 'recent errors, and retention';

-- What is known --------------------------------------------------------------------------------------------------------

CREATE TABLE pages (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  url_hash bytea NOT NULL UNIQUE,
  domain_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'fetched' CHECK (status IN ('never_crawled', 'fetched', 'failed', 'blocked')),
  http_status int,
  final_url text,
  content_type text,
  content_length int,
  title text,
  description text,
  language text,
  content_hash bytea,
  simhash bigint,
  duplicate_of uuid,
  etag text,
  last_modified text,
  raw_ref text,
  raw_meta jsonb,
  links_count int NOT NULL DEFAULT 0,
  visits int NOT NULL DEFAULT 0,
  changes int NOT NULL DEFAULT 0,
  error_count int NOT NULL DEFAULT 0,
  error_code text,
  fetch_ms int,
  discovered_at timestamptz NOT NULL DEFAULT now(),
  last_crawled_at timestamptz,
  last_changed_at timestamptz,
  next_crawl_at timestamptz
) WITH (fillfactor = 90);
CREATE INDEX pages_domain_idx ON pages (domain_id, id);
COMMENT ON INDEX pages_domain_idx IS 'pages through a domain';
CREATE INDEX pages_crawled_idx ON pages (last_crawled_at);
COMMENT ON INDEX pages_crawled_idx IS 'newest pages first, and retention';

-- Four 16-bit bands of the 64-bit SimHash: pages within Hamming distance 3 share at least one band. `band` holds the
-- band's number in its upper half and its 16 bits in the lower; rows of a changed page are found by its old SimHash.
CREATE TABLE page_bands (
  band int NOT NULL,
  page_id uuid NOT NULL,
  simhash bigint NOT NULL,
  PRIMARY KEY (band, page_id)
);

-- The outgoing links of a page as one row: they are always written and read together.
CREATE TABLE links (
  page_id uuid PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  urls text[] NOT NULL,
  anchors text[] NOT NULL,
  rels text[] NOT NULL
);

CREATE TABLE documents (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  url_hash bytea NOT NULL UNIQUE,
  domain text NOT NULL,
  page_id uuid REFERENCES pages (id) ON DELETE SET NULL,
  parent_url text,
  title text,
  content text NOT NULL,
  content_hash bytea NOT NULL,
  language text,
  content_type text NOT NULL DEFAULT 'text/html',
  kind text,
  source text NOT NULL DEFAULT 'crawl' CHECK (source IN ('crawl', 'upload', 'api')),
  collection_id uuid REFERENCES collections (id) ON DELETE SET NULL,
  source_id uuid REFERENCES sources (id) ON DELETE SET NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  chunking jsonb NOT NULL DEFAULT '{}',
  version int NOT NULL DEFAULT 1,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  indexed_version int NOT NULL DEFAULT 0,
  indexed_at timestamptz
);
CREATE INDEX documents_domain_idx ON documents (domain, id);
COMMENT ON INDEX documents_domain_idx IS 'lists and exports a domain';
CREATE INDEX documents_collection_idx ON documents (collection_id, id);
COMMENT ON INDEX documents_collection_idx IS 'lists, moves and reindexes a collection';
CREATE INDEX documents_page_idx ON documents (page_id);
COMMENT ON INDEX documents_page_idx IS 'from a page to its document';
CREATE INDEX documents_source_idx ON documents (source_id) WHERE source_id IS NOT NULL;
COMMENT ON INDEX documents_source_idx IS 'lists the documents of a source';
CREATE INDEX documents_deleted_idx ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX documents_deleted_idx IS 'hard deletion after retention';

CREATE TABLE document_versions (
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  version int NOT NULL,
  title text,
  content text NOT NULL,
  content_hash bytea NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (document_id, version)
);

CREATE TABLE document_tags (
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  tag_id uuid NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, tag_id)
);
CREATE INDEX document_tags_tag_idx ON document_tags (tag_id);
COMMENT ON INDEX document_tags_tag_idx IS 'finds the documents of a tag';

CREATE TABLE chunks (
  id uuid PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  document_version int NOT NULL,
  chunk_index int NOT NULL,
  start_char int NOT NULL,
  end_char int NOT NULL,
  content text NOT NULL,
  content_hash bytea NOT NULL,
  token_count int NOT NULL,
  heading_path text[] NOT NULL DEFAULT '{}',
  content_type text NOT NULL DEFAULT 'prose' CHECK (content_type IN ('prose', 'code', 'table', 'list')),
  embedding_model text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (document_id, chunk_index)
);
CREATE INDEX chunks_unembedded_idx ON chunks (id) WHERE embedding_model IS NULL;
COMMENT ON INDEX chunks_unembedded_idx IS 'finds chunks that still need a vector';

-- Chunks that are gone here and may still be in an index: written in the transaction that removed them, deleted once
-- the indexes forgot them.
CREATE TABLE removed_chunks (
  chunk_id uuid PRIMARY KEY,
  document_id uuid NOT NULL
);
CREATE INDEX removed_chunks_document_idx ON removed_chunks (document_id);
COMMENT ON INDEX removed_chunks_document_idx IS 'the next pass over a document finishes what a crash left undone';

-- Products -------------------------------------------------------------------------------------------------------------

CREATE TABLE products (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  url_hash bytea NOT NULL UNIQUE,
  domain text NOT NULL,
  page_id uuid REFERENCES pages (id) ON DELETE SET NULL,
  name text,
  description text,
  price numeric(18, 4),
  regular_price numeric(18, 4),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  availability text,
  rating double precision,
  review_count int,
  brand text,
  category text[] NOT NULL DEFAULT '{}',
  sku text,
  gtin text,
  mpn text,
  fields jsonb NOT NULL DEFAULT '{}',
  confidence double precision NOT NULL DEFAULT 0,
  issues text[] NOT NULL DEFAULT '{}',
  parser text NOT NULL,
  parser_version text NOT NULL,
  content_hash bytea NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX products_domain_idx ON products (domain, id);
COMMENT ON INDEX products_domain_idx IS 'pages through the products of a domain';
CREATE INDEX products_price_idx ON products (currency, price);
COMMENT ON INDEX products_price_idx IS 'filters by price within one currency';
CREATE INDEX products_brand_idx ON products (lower(brand));
COMMENT ON INDEX products_brand_idx IS 'filters by brand, whatever its case';
CREATE INDEX products_page_idx ON products (page_id);
COMMENT ON INDEX products_page_idx IS 'from a page to its product';
CREATE INDEX products_text_idx ON products
  USING gin (to_tsvector('simple', coalesce(name, '') || ' ' || coalesce(brand, '') || ' ' || coalesce(description, '')));
COMMENT ON INDEX products_text_idx IS 'text search over products without another engine';

CREATE TABLE product_prices (
  product_id uuid NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now(),
  price numeric(18, 4),
  regular_price numeric(18, 4),
  currency text,
  availability text,
  PRIMARY KEY (product_id, seen_at)
);

CREATE TABLE product_images (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  url text NOT NULL,
  alt text,
  position int NOT NULL DEFAULT 0,
  kind text NOT NULL DEFAULT 'gallery' CHECK (kind IN ('primary', 'gallery', 'thumbnail')),
  blob_ref text,
  content_hash bytea,
  media_type text,
  width int,
  height int,
  bytes int,
  error_code text,
  fetched_at timestamptz,
  UNIQUE (product_id, url)
);
CREATE INDEX product_images_waiting_idx ON product_images (id) WHERE fetched_at IS NULL;
COMMENT ON INDEX product_images_waiting_idx IS 'the images that still wait to be fetched';

CREATE TABLE parser_runs (
  parser text NOT NULL,
  parser_version text NOT NULL,
  domain text NOT NULL,
  day date NOT NULL,
  shadow boolean NOT NULL DEFAULT false,
  pages int NOT NULL DEFAULT 0,
  parsed int NOT NULL DEFAULT 0,
  differs int NOT NULL DEFAULT 0,
  samples jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (parser, parser_version, domain, day, shadow)
);

-- Background work --------------------------------------------------------------------------------------------------------

CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  payload jsonb NOT NULL DEFAULT '{}',
  result jsonb,
  progress jsonb,
  unique_key text,
  attempt int NOT NULL DEFAULT 0,
  max_attempts int NOT NULL DEFAULT 5,
  worker_id text,
  lease_until timestamptz,
  due_at timestamptz NOT NULL DEFAULT now(),
  error_code text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz
);
CREATE INDEX jobs_claim_idx ON jobs (priority, due_at) WHERE status = 'pending';
COMMENT ON INDEX jobs_claim_idx IS 'the next job to run';
CREATE INDEX jobs_lease_idx ON jobs (lease_until) WHERE status = 'running';
COMMENT ON INDEX jobs_lease_idx IS 'the reaper reads only expired leases';
CREATE UNIQUE INDEX jobs_unique_key ON jobs (kind, unique_key) WHERE status IN ('pending', 'running');
COMMENT ON INDEX jobs_unique_key IS 'the same work is never planned twice at once';
CREATE INDEX jobs_done_idx ON jobs (completed_at) WHERE completed_at IS NOT NULL;
COMMENT ON INDEX jobs_done_idx IS 'retention';

-- What the indexer still has to do. A row is written in the transaction that changed the document.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('index', 'delete')),
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  stage text NOT NULL DEFAULT 'text' CHECK (stage IN ('text', 'vector')),
  attempt int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  worker_id text,
  lease_until timestamptz,
  error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outbox_claim_idx ON outbox (stage, priority, id);
COMMENT ON INDEX outbox_claim_idx IS 'the next documents to index, urgent ones first';
CREATE INDEX outbox_document_idx ON outbox (document_id);
COMMENT ON INDEX outbox_document_idx IS 'tells whether a document still waits';

-- A webhook of a source has a secret of its own; one that came with a crawl is signed with the installation's.
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  source_id uuid REFERENCES sources (id) ON DELETE CASCADE,
  crawl_id uuid REFERENCES crawls (id) ON DELETE CASCADE,
  url text NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  secret text,
  previous_secret text,
  previous_secret_until timestamptz,
  events text[] NOT NULL DEFAULT '{completed,failed}',
  is_active boolean NOT NULL DEFAULT true,
  disabled_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((source_id IS NULL) <> (crawl_id IS NULL)),
  CHECK (source_id IS NULL OR secret IS NOT NULL)
);
CREATE INDEX webhooks_source_idx ON webhooks (source_id);
COMMENT ON INDEX webhooks_source_idx IS 'finds whom to tell about a source';
CREATE UNIQUE INDEX webhooks_crawl_key ON webhooks (crawl_id);
COMMENT ON INDEX webhooks_crawl_key IS 'a crawl has one webhook of its own';

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  crawl_id uuid,
  event text NOT NULL,
  payload jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  last_attempt_at timestamptz,
  response_status int,
  response_body text,
  error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
COMMENT ON INDEX webhook_deliveries_due_idx IS 'the deliveries whose time has come';
CREATE INDEX webhook_deliveries_hook_idx ON webhook_deliveries (webhook_id, id);
COMMENT ON INDEX webhook_deliveries_hook_idx IS 'lists the deliveries of a webhook';
CREATE INDEX webhook_deliveries_crawl_idx ON webhook_deliveries (crawl_id, id);
COMMENT ON INDEX webhook_deliveries_crawl_idx IS 'lists what was told about a crawl';

-- Operate ----------------------------------------------------------------------------------------------------------------

CREATE TABLE workers (
  id text PRIMARY KEY,
  role text NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  state jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE stats (
  bucket timestamptz NOT NULL,
  resolution text NOT NULL DEFAULT 'minute' CHECK (resolution IN ('minute', 'day')),
  domain text NOT NULL DEFAULT '',
  metric text NOT NULL,
  value double precision NOT NULL,
  PRIMARY KEY (resolution, bucket, domain, metric)
);

CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL DEFAULT '',
  severity text NOT NULL DEFAULT 'warning' CHECK (severity IN ('info', 'warning', 'critical')),
  message text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  raised_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz
);
CREATE UNIQUE INDEX alerts_open_key ON alerts (kind, subject) WHERE resolved_at IS NULL;
COMMENT ON INDEX alerts_open_key IS 'an alert that stands is raised once';

-- Small facts of the installation: the admin's first login, the index generation in force.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
