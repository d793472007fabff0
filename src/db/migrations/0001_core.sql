-- The design's vocabulary. Ids are UUIDv7 made by the program, so rows are stored in the order they were made.
-- Times are timestamptz and compared with the database's own clock, never with a worker's.
-- docs/schema.md shows the result, with the comments on tables, keys and indexes.

-- For tables whose rows a dozen statements change: each of them would have to remember the time.
CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END $$;

-- Access --------------------------------------------------------------------------------------------------------------

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
COMMENT ON TABLE users IS 'A person who may log in.';
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
COMMENT ON INDEX users_email_key IS 'login looks a person up by address, whatever its case';

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  ip text,
  user_agent text
);
COMMENT ON TABLE sessions IS 'A login that is still good; the token itself is only with the browser.';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the half in the cookie and the half the page keeps, joined by a dot';
COMMENT ON CONSTRAINT sessions_user_id_fkey ON sessions IS 'a person who goes is logged out';
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
COMMENT ON TABLE api_keys IS 'A key for programs: its hash, scopes and rate.';
COMMENT ON CONSTRAINT api_keys_user_id_fkey ON api_keys IS 'a key ends with the person it belongs to';
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
COMMENT ON TABLE idempotency_keys IS 'What a creating request answered, so that the same request sent again gets the same answer.';
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
COMMENT ON INDEX idempotency_keys_age_idx IS 'the clean-up job removes keys after a day';

-- Organise ------------------------------------------------------------------------------------------------------------

CREATE TABLE collections (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE collections IS 'A named set of documents.';
COMMENT ON CONSTRAINT collections_name_key ON collections IS 'people choose a collection by its name';

CREATE TABLE tags (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name = lower(name)),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE tags IS 'A word documents are marked with.';
COMMENT ON CONSTRAINT tags_name_key ON tags IS 'a word is one tag';

-- Header fields are no part of the options, here and in sources and crawls: they are stored by the origin they were given for,
-- {"ORIGIN": {"names": […], "values": sealed}}, so that their values are readable nowhere and go to no other site. The headers
-- of webhooks have the same form. A sealed value is enc:v1:KEY:DATA.
CREATE TABLE crawl_configs (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  options jsonb NOT NULL DEFAULT '{}',
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE crawl_configs IS 'Crawl options kept under a name.';
COMMENT ON CONSTRAINT crawl_configs_name_key ON crawl_configs IS 'people choose a config by its name';

-- Politeness ----------------------------------------------------------------------------------------------------------

-- One row a domain: its policy, and the gate through which every claim of its tasks goes.
--   waiting         true while pending tasks may exist; a claim that finds none clears it
--   next_at         no worker may send a request before this time
--   open_at         the delay after the last answer, or a pause the site asked for, ends here: places taken before it was known
--                   wait for it
--   rate_limit_rps  null: the default of the settings; 0: no limit
--   crawl_delay_ms  what robots.txt asks for; throttle_ms  what the site's answers ask for (429, 503, slow answers)
--   proxy_country   only proxies of this country are used; null: of any
--   proxy_position  where round_robin got to in domain_proxies.position
-- The pace: rate_limit_rps spaces the starts of requests, with max_concurrency under way; crawl_delay_ms and throttle_ms count
-- from the answer, one request at a time. Where both are set, both hold.
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
  proxy_country text,
  proxy_position bigint NOT NULL DEFAULT 0,
  waiting boolean NOT NULL DEFAULT false,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  open_at timestamptz NOT NULL DEFAULT '-infinity',
  circuit_state text NOT NULL DEFAULT 'closed' CHECK (circuit_state IN ('closed', 'open', 'half_open')),
  circuit_failures int NOT NULL DEFAULT 0,
  circuit_successes int NOT NULL DEFAULT 0,
  circuit_until timestamptz,
  circuit_threshold int,
  circuit_timeout_s int,
  latency_ms double precision,
  boilerplate jsonb,
  responses_cleared_at timestamptz NOT NULL DEFAULT '-infinity',
  pages_fetched bigint NOT NULL DEFAULT 0,
  pages_failed bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE domains IS 'The unit of politeness: policy, circuit, and the turn through which every claim goes.';
-- Stored responses answer for crawls that allow an age (max_age_s). Clearing them is a mark here, not a change of a million pages.
COMMENT ON COLUMN domains.responses_cleared_at IS 'Responses stored before this time are not reused, whatever age a crawl allows.';
COMMENT ON CONSTRAINT domains_domain_key ON domains
  IS 'one row a domain is what makes politeness hold over all workers';
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

-- reason: why the file cannot be read, for the person who wonders why nothing of the site is fetched.
CREATE TABLE robots (
  origin text PRIMARY KEY,
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  status int,
  body text,
  state text NOT NULL CHECK (state IN ('rules', 'allow_all', 'unavailable')),
  reason text,
  crawl_delay_ms int,
  sitemaps text[] NOT NULL DEFAULT '{}',
  fetched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE robots IS 'The robots.txt of an origin, as it was last read.';
COMMENT ON CONSTRAINT robots_domain_id_fkey ON robots IS 'robots files go with their domain';
CREATE INDEX robots_domain_idx ON robots (domain_id);
COMMENT ON INDEX robots_domain_idx IS 'shows the robots files of a domain';

--   password               sealed
--   max_requests_per_hour  null: no limit. Counted over all domains, in hours that begin with the first request after the last one
--   hour_started_at, hour_requests  the hour that is being counted
--   off_by_health          failures turned it off, so a success or the health check may turn it on again; what a person turned
--                          off stays off
CREATE TABLE proxies (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  url text NOT NULL,
  username text,
  password text,
  country_code text,
  city text,
  provider text,
  monthly_cost numeric(10, 2) CHECK (monthly_cost >= 0),
  max_requests_per_hour int CHECK (max_requests_per_hour > 0),
  hour_started_at timestamptz NOT NULL DEFAULT '-infinity',
  hour_requests int NOT NULL DEFAULT 0,
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
COMMENT ON TABLE proxies IS 'A way out other than our own address.';
COMMENT ON CONSTRAINT proxies_name_key ON proxies IS 'people choose a proxy by its name';

-- position: the order of assignment, which round_robin goes by. next_at and open_at are those of domains, for one proxy.
CREATE TABLE domain_proxies (
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  proxy_id uuid NOT NULL REFERENCES proxies (id) ON DELETE CASCADE,
  is_active boolean NOT NULL DEFAULT true,
  off_by_health boolean NOT NULL DEFAULT false,
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  position bigint GENERATED BY DEFAULT AS IDENTITY,
  next_at timestamptz NOT NULL DEFAULT '-infinity',
  open_at timestamptz NOT NULL DEFAULT '-infinity',
  use_count bigint NOT NULL DEFAULT 0,
  success_count bigint NOT NULL DEFAULT 0,
  failure_count int NOT NULL DEFAULT 0,
  avg_response_ms double precision,
  last_used_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (domain_id, proxy_id)
);
COMMENT ON TABLE domain_proxies IS 'The proxies a domain uses, with their health there.';
COMMENT ON CONSTRAINT domain_proxies_domain_id_fkey ON domain_proxies IS 'a pool goes with its domain';
COMMENT ON CONSTRAINT domain_proxies_proxy_id_fkey ON domain_proxies IS 'a proxy leaves every pool when it goes';
CREATE INDEX domain_proxies_proxy_idx ON domain_proxies (proxy_id);
COMMENT ON INDEX domain_proxies_proxy_idx IS 'turning a proxy off reaches every domain that uses it';
CREATE TRIGGER domain_proxies_touch BEFORE UPDATE ON domain_proxies FOR EACH ROW EXECUTE FUNCTION touch_row();

-- A place is taken in the row of turns (next_at), and counts as a request under way until it is given back.
CREATE TABLE side_requests (
  id uuid PRIMARY KEY,
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  proxy_id uuid REFERENCES proxies (id) ON DELETE CASCADE,
  start_at timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
);
COMMENT ON TABLE side_requests
  IS 'Requests to a domain that are no task: robots.txt, redirects from elsewhere, sitemaps, images, captures. A row is a place that waits or is under way.';
COMMENT ON CONSTRAINT side_requests_domain_id_fkey ON side_requests IS 'a domain that is deleted has no requests';
COMMENT ON CONSTRAINT side_requests_proxy_id_fkey ON side_requests IS 'nothing is sent through a proxy that is deleted';
CREATE INDEX side_requests_domain_idx ON side_requests (domain_id);
COMMENT ON INDEX side_requests_domain_idx IS 'a claim counts what is under way at a domain';

-- Crawl ---------------------------------------------------------------------------------------------------------------

--   waiting_since  a run has been due since then, and the one before it still goes on
--   last_error     why the latest run could not start
CREATE TABLE sources (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  crawl_config_id uuid REFERENCES crawl_configs (id) ON DELETE SET NULL,
  collection_id uuid REFERENCES collections (id) ON DELETE SET NULL,
  options jsonb NOT NULL DEFAULT '{}',
  headers jsonb NOT NULL DEFAULT '{}',
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
COMMENT ON TABLE sources IS 'A site that is crawled again on a schedule.';
COMMENT ON CONSTRAINT sources_collection_id_fkey ON sources IS 'a source stays when its collection goes';
COMMENT ON CONSTRAINT sources_crawl_config_id_fkey ON sources
  IS 'a source falls back to the defaults when its config goes';
CREATE INDEX sources_due_idx ON sources (next_run_at) WHERE is_active AND next_run_at IS NOT NULL;
COMMENT ON INDEX sources_due_idx IS 'the scheduler reads only the sources whose time has come';
CREATE INDEX sources_config_idx ON sources (crawl_config_id);
COMMENT ON INDEX sources_config_idx IS 'deleting a config finds the sources that use it';
CREATE INDEX sources_collection_idx ON sources (collection_id);
COMMENT ON INDEX sources_collection_idx IS 'deleting a collection finds the sources that fill it';

-- What a crawl asks for, and its counters.
--   pace_ms         what it asks for beyond the pace of its domains: at most one request in pace_ms, in each of them. 0: nothing
--   visits_planned  tasks that are planned visits (db/tasks/states.ts): they keep no crawl open and are not among pages_discovered
--   revisits        tasks among pages_discovered that are further visits; the page limit is about first visits
--   event_seq       the number of the crawl's last event
--   page_events     write one event a page, because somebody asked for them
--   created_by      how the crawl came to be (key:ID, user:ID, schedule, …)
--   owner           the id in created_by, so both cannot differ. Null: the installation itself started it
CREATE TABLE crawls (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('urls', 'batch', 'deep', 'source', 'recurring')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled')),
  urls text[] NOT NULL,
  strategy text NOT NULL DEFAULT 'bfs' CHECK (strategy IN ('bfs', 'dfs', 'best_first')),
  max_depth int NOT NULL DEFAULT 0,
  max_pages int NOT NULL DEFAULT 1,
  pace_ms int NOT NULL DEFAULT 0,
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  keywords text[] NOT NULL DEFAULT '{}',
  score_threshold double precision NOT NULL DEFAULT 0,
  options jsonb NOT NULL DEFAULT '{}',
  headers jsonb NOT NULL DEFAULT '{}',
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
  visits_planned int NOT NULL DEFAULT 0,
  revisits int NOT NULL DEFAULT 0,
  current_depth int NOT NULL DEFAULT 0,
  links_refused jsonb NOT NULL DEFAULT '{}',
  admit_at timestamptz NOT NULL DEFAULT '-infinity',
  holds int NOT NULL DEFAULT 0,
  event_seq bigint NOT NULL DEFAULT 0,
  page_events boolean NOT NULL DEFAULT false,
  error text,
  error_code text,
  created_by text NOT NULL DEFAULT 'system',
  owner uuid GENERATED ALWAYS AS (
    CASE WHEN created_by ~ '^(key|user):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN split_part(created_by, ':', 2)::uuid END
  ) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE crawls IS 'What somebody asked for: one row, one progress.';
COMMENT ON CONSTRAINT crawls_collection_id_fkey ON crawls IS 'a crawl stays when its collection goes';
COMMENT ON CONSTRAINT crawls_crawl_config_id_fkey ON crawls IS 'a crawl keeps its own options when the config goes';
COMMENT ON CONSTRAINT crawls_source_id_fkey ON crawls IS 'past runs stay when their source goes';
CREATE INDEX crawls_source_idx ON crawls (source_id) WHERE source_id IS NOT NULL;
COMMENT ON INDEX crawls_source_idx IS 'lists the runs of a source';
CREATE INDEX crawls_status_idx ON crawls (status, id);
COMMENT ON INDEX crawls_status_idx IS 'lists crawls by status, newest last';
CREATE INDEX crawls_config_idx ON crawls (crawl_config_id);
COMMENT ON INDEX crawls_config_idx IS 'deleting a config finds the crawls that used it';
CREATE INDEX crawls_collection_idx ON crawls (collection_id);
COMMENT ON INDEX crawls_collection_idx IS 'deleting a collection finds the crawls that fed it';
CREATE INDEX crawls_owner_idx ON crawls (owner, id) WHERE owner IS NOT NULL;
COMMENT ON INDEX crawls_owner_idx IS 'pages through the crawls of a user or key';

-- Adds up why links were refused: {"CODE": {"count": n, "samples": [the first twenty addresses]}}.
CREATE FUNCTION merge_refused(known jsonb, more jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN more = '{}' THEN known ELSE known || (
    SELECT jsonb_object_agg(code, jsonb_build_object(
      'count', coalesce((known -> code ->> 'count')::int, 0) + (entry ->> 'count')::int,
      'samples', CASE WHEN jsonb_array_length(coalesce(known -> code -> 'samples', '[]')) >= 20 THEN known -> code -> 'samples'
        ELSE coalesce(known -> code -> 'samples', '[]') || (entry -> 'samples') END))
    FROM jsonb_each(more) AS e (code, entry)) END
$$;

CREATE TABLE crawl_paces (
  domain_id uuid NOT NULL,
  crawl_id uuid NOT NULL REFERENCES crawls (id) ON DELETE CASCADE,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (domain_id, crawl_id)
);
COMMENT ON TABLE crawl_paces IS 'When a crawl that asks for a slower pace may next ask a domain; other crawls are not held up.';
COMMENT ON CONSTRAINT crawl_paces_crawl_id_fkey ON crawl_paces IS 'a pace goes with its crawl';
CREATE INDEX crawl_paces_crawl_idx ON crawl_paces (crawl_id);
COMMENT ON INDEX crawl_paces_crawl_idx IS 'deleting a crawl finds its paces';

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
  response_ms int,
  is_recurring boolean NOT NULL DEFAULT false,
  interval_s int,
  visit int NOT NULL DEFAULT 0,
  parse_only boolean NOT NULL DEFAULT false,
  quarantined boolean NOT NULL DEFAULT false,
  created_by text NOT NULL DEFAULT 'system',
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
COMMENT ON TABLE tasks IS 'One URL inside a crawl, with its life cycle.';
COMMENT ON CONSTRAINT tasks_crawl_id_fkey ON tasks IS 'tasks go with their crawl';
CREATE UNIQUE INDEX tasks_url_key ON tasks (crawl_id, url_hash, visit);
COMMENT ON INDEX tasks_url_key IS 'a URL enters a crawl once; a planned visit is another row';
-- Priority holds over all crawls of a domain, so it comes before the strategy of each.
CREATE INDEX tasks_claim_idx ON tasks (domain_id, priority, rank, id) WHERE status = 'pending' AND ready;
COMMENT ON INDEX tasks_claim_idx IS 'the best task of a domain is its first entry: by priority, then strategy, then age';
CREATE INDEX tasks_due_idx ON tasks (due_at) WHERE status = 'pending' AND NOT ready;
COMMENT ON INDEX tasks_due_idx IS 'finds retries and planned visits whose time has come';
CREATE INDEX tasks_visit_idx ON tasks (url_hash) WHERE status = 'pending' AND visit > 0;
COMMENT ON INDEX tasks_visit_idx IS 'shows when a page is visited next; holds planned visits only';
-- A claim asks whether an address is under way already, for any crawl; lease_until is read from the few rows there are.
CREATE INDEX tasks_in_flight_idx ON tasks (domain_id, url_hash) WHERE status IN ('crawling', 'parsing');
COMMENT ON INDEX tasks_in_flight_idx
  IS 'counts what a domain has in flight, and finds an address among it; the reaper reads it whole, for it is as small as that is';
-- Parsing may be a role of its own: what it takes over is found without reading the tasks that wait for a fetcher.
CREATE INDEX tasks_take_over_idx ON tasks (priority, id)
  WHERE status IN ('downloaded', 'queued_parse') OR (status = 'pending' AND ready AND parse_only);
COMMENT ON INDEX tasks_take_over_idx IS 'the best task whose response is stored, for a parser to take over';
CREATE INDEX tasks_stored_idx ON tasks (domain_id, url_hash) WHERE status IN ('downloaded', 'queued_parse');
COMMENT ON INDEX tasks_stored_idx IS 'whether the response of an address is stored and waits for a parser: nobody asks for it meanwhile';
CREATE INDEX tasks_paused_idx ON tasks (crawl_id) WHERE status = 'paused';
COMMENT ON INDEX tasks_paused_idx IS 'finds what is paused among millions that wait';
CREATE INDEX tasks_list_idx ON tasks (crawl_id, id);
COMMENT ON INDEX tasks_list_idx IS 'pages through the tasks of a crawl';
CREATE INDEX tasks_failed_idx ON tasks (completed_at) WHERE status = 'failed';
COMMENT ON INDEX tasks_failed_idx IS 'the dead-letter list, and its retention';
CREATE INDEX tasks_retry_idx ON tasks (retry_at) WHERE status = 'failed' AND retry_at IS NOT NULL;
COMMENT ON INDEX tasks_retry_idx IS 'failed tasks that are tried again by themselves';
CREATE TRIGGER tasks_touch BEFORE UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION touch_row();

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
COMMENT ON TABLE task_errors IS 'What went wrong in one attempt of a task.';
COMMENT ON CONSTRAINT task_errors_task_id_fkey ON task_errors IS 'attempts go with their task';
CREATE INDEX task_errors_task_idx ON task_errors (task_id, id);
COMMENT ON INDEX task_errors_task_idx IS 'shows the attempts of a task in order';
CREATE INDEX task_errors_time_idx ON task_errors (occurred_at);
COMMENT ON INDEX task_errors_time_idx IS 'recent errors, and retention';

-- Events --------------------------------------------------------------------------------------------------------------

-- The log of events: what changed, written in the transaction that changed it.
--   id        the order of writing; within a crawl it is the order of seq as well
--   position  the order of reading, given after the commit: null until then, and never given to an event that is not committed.
--             A reader that has seen position n has missed nothing up to n, however late a transaction committed
--   seq       1, 2, 3… within the crawl, without gaps: taken from crawls.event_seq under the lock on the crawl's row
--   subject   what it is about besides the crawl: the id of a document, product or source, or the name of a domain
-- There are no foreign keys: an event outlives what it tells of.
CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  position bigint,
  crawl_id uuid,
  seq bigint,
  kind text NOT NULL,
  subject text,
  data jsonb NOT NULL DEFAULT '{}',
  actor text NOT NULL DEFAULT 'system',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((crawl_id IS NULL) = (seq IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE events IS 'what changed, written in the transaction that changed it; streams, webhooks and the audit trail read it';
CREATE UNIQUE INDEX events_position_key ON events (position);
COMMENT ON INDEX events_position_key IS 'readers go on after the position they have seen';
CREATE INDEX events_unplaced_idx ON events (id) WHERE position IS NULL;
COMMENT ON INDEX events_unplaced_idx IS 'committed events that have no position yet; nearly always empty';
CREATE UNIQUE INDEX events_crawl_key ON events (crawl_id, seq);
COMMENT ON INDEX events_crawl_key IS 'a crawl''s stream goes on after the number its client has seen; no number is given twice';
CREATE INDEX events_kind_idx ON events (kind, position);
COMMENT ON INDEX events_kind_idx IS 'lists events of a few kinds, and the readers that want only those';
CREATE INDEX events_age_idx ON events (created_at);
COMMENT ON INDEX events_age_idx IS 'retention, and lists of a span of time';

CREATE TABLE event_head (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  position bigint NOT NULL
);
COMMENT ON TABLE event_head IS 'the last position given in events; one row, locked while positions are given';
INSERT INTO event_head (position) VALUES (0);

-- Readers that act on events keep their place here, moved in the transaction of the act: each event acts once.
CREATE TABLE event_readers (
  name text PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE event_readers IS 'how far each reader that acts on events has come';
INSERT INTO event_readers (name) VALUES ('webhooks');

-- Every change of a crawl's status or counters writes its events here, whatever statement made it: workers, schedulers and
-- people change crawls by different statements, and none of them can forget the log. OLD and NEW give the numbers of the batch
-- for nothing, and the row is locked by then. A start comes before the numbers, an end after them.
CREATE FUNCTION log_crawl_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  who text := coalesce(nullif(current_setting('crawl4r.actor', true), ''), 'system');
  state jsonb := jsonb_build_object('status', NEW.status, 'pages_discovered', NEW.pages_discovered, 'pages_crawled', NEW.pages_crawled,
    'pages_failed', NEW.pages_failed, 'pages_skipped', NEW.pages_skipped, 'pages_cancelled', NEW.pages_cancelled,
    'current_depth', NEW.current_depth);
  batch jsonb := jsonb_build_object('discovered', NEW.pages_discovered - OLD.pages_discovered,
    'crawled', NEW.pages_crawled - OLD.pages_crawled, 'failed', NEW.pages_failed - OLD.pages_failed,
    'skipped', NEW.pages_skipped - OLD.pages_skipped, 'cancelled', NEW.pages_cancelled - OLD.pages_cancelled);
  moved boolean := NEW.status <> OLD.status;
  over boolean := NEW.status IN ('completed', 'failed', 'cancelled');
BEGIN
  IF moved AND NOT over THEN
    NEW.event_seq := NEW.event_seq + 1;
    INSERT INTO events (crawl_id, seq, kind, data, actor) VALUES (NEW.id, NEW.event_seq,
      CASE WHEN NEW.status = 'paused' THEN 'crawl.paused' WHEN OLD.status = 'paused' THEN 'crawl.resumed'
        WHEN OLD.status = 'pending' THEN 'crawl.started' ELSE 'crawl.restarted' END,
      state || jsonb_build_object('from', OLD.status), who);
  END IF;
  IF batch <> '{"discovered": 0, "crawled": 0, "failed": 0, "skipped": 0, "cancelled": 0}' THEN
    NEW.event_seq := NEW.event_seq + 1;
    INSERT INTO events (crawl_id, seq, kind, data, actor)
    VALUES (NEW.id, NEW.event_seq, 'crawl.progress', state || jsonb_build_object('batch', batch), who);
  END IF;
  IF moved AND over THEN
    NEW.event_seq := NEW.event_seq + 1;
    INSERT INTO events (crawl_id, seq, kind, data, actor) VALUES (NEW.id, NEW.event_seq, 'crawl.' || NEW.status,
      state || jsonb_build_object('from', OLD.status, 'error', NEW.error, 'error_code', NEW.error_code,
        'completed_at', NEW.completed_at, 'revisits', NEW.revisits), who);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER crawls_log_change BEFORE UPDATE ON crawls FOR EACH ROW
  WHEN ((OLD.status, OLD.pages_discovered, OLD.pages_crawled, OLD.pages_failed, OLD.pages_skipped, OLD.pages_cancelled)
    IS DISTINCT FROM (NEW.status, NEW.pages_discovered, NEW.pages_crawled, NEW.pages_failed, NEW.pages_skipped, NEW.pages_cancelled))
  EXECUTE FUNCTION log_crawl_change();
COMMENT ON TRIGGER crawls_log_change ON crawls IS 'writes the events of every change of status or counters';

CREATE FUNCTION log_crawl_birth() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.event_seq := 1;
  INSERT INTO events (crawl_id, seq, kind, data, actor) VALUES (NEW.id, 1, 'crawl.created',
    jsonb_build_object('kind', NEW.kind, 'url', coalesce(NEW.urls[1], ''), 'url_count', cardinality(NEW.urls), 'source_id', NEW.source_id),
    NEW.created_by);
  RETURN NEW;
END
$$;
CREATE TRIGGER crawls_log_birth BEFORE INSERT ON crawls FOR EACH ROW EXECUTE FUNCTION log_crawl_birth();
COMMENT ON TRIGGER crawls_log_birth ON crawls IS 'the first event of a crawl';

-- What is known -------------------------------------------------------------------------------------------------------

-- canonical_url: the address the page says its content belongs to (rel=canonical), where that is another one of its domain.
-- When a page is visited next is what its tasks say.
CREATE TABLE pages (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  url_hash bytea NOT NULL UNIQUE,
  domain_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'fetched' CHECK (status IN ('never_crawled', 'fetched', 'failed', 'blocked')),
  http_status int,
  final_url text,
  canonical_url text,
  canonical_hash bytea,
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
  last_changed_at timestamptz
) WITH (fillfactor = 90);
COMMENT ON TABLE pages IS 'What is known about a URL: last status, hashes, validators.';
COMMENT ON CONSTRAINT pages_url_hash_key ON pages
  IS 'one page a URL; found by the hash, since URLs are too long for an index';
CREATE INDEX pages_domain_idx ON pages (domain_id, id);
COMMENT ON INDEX pages_domain_idx IS 'pages through a domain';
CREATE INDEX pages_crawled_idx ON pages (last_crawled_at);
COMMENT ON INDEX pages_crawled_idx IS 'newest pages first, and retention';
CREATE INDEX pages_canonical_idx ON pages (canonical_hash) WHERE canonical_hash IS NOT NULL;
COMMENT ON INDEX pages_canonical_idx IS 'when a canonical page is stored, the pages that name it are found';

-- Four 16-bit bands of the 64-bit SimHash: pages within Hamming distance 3 share at least one band. `band` holds the
-- band's number in its upper half and its 16 bits in the lower; rows of a changed page are found by its old SimHash.
CREATE TABLE page_bands (
  band int NOT NULL,
  page_id uuid NOT NULL,
  simhash bigint NOT NULL,
  PRIMARY KEY (band, page_id)
);
COMMENT ON TABLE page_bands IS 'Parts of the SimHash of a page, by which near-duplicates are found.';

-- The outgoing links of a page as one row: they are always written and read together.
CREATE TABLE links (
  page_id uuid PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  urls text[] NOT NULL,
  anchors text[] NOT NULL,
  rels text[] NOT NULL
);
COMMENT ON TABLE links IS 'The outgoing links of a page.';
COMMENT ON CONSTRAINT links_page_id_fkey ON links IS 'links go with their page';

-- A document whose page is no longer there leaves search and catalogue and keeps its history. Why it left (gone_reason):
--   not_found  the address answered 404 or 410
--   moved      it leads elsewhere for good (301, 308)
--   noindex    it asks not to be indexed
--   duplicate  its content is found under its canonical address
-- Unlike a deleted one it is never purged, and comes back by itself when its page does.
--
-- Documents that are nearly the same share a duplicate_group: the page id of the one that was there first. That one has no group
-- of its own until its content changes; it then gets a new one, so that those it stood for do not follow it.
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
  duplicate_group uuid,
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
  gone_at timestamptz,
  gone_reason text CHECK (gone_reason IN ('not_found', 'moved', 'noindex', 'duplicate')),
  deleted_at timestamptz,
  indexed_version int NOT NULL DEFAULT 0,
  indexed_at timestamptz
);
-- Compressing the text took a fifth of the database's time in a crawl, and saved a small part of what a document with its chunks,
-- terms and vectors takes on disk. CREATE TABLE has no word for it in PostgreSQL 15.
ALTER TABLE documents ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON TABLE documents IS 'The readable content of a page or an upload, as it is now.';
COMMENT ON CONSTRAINT documents_collection_id_fkey ON documents IS 'documents stay when their collection goes';
COMMENT ON CONSTRAINT documents_page_id_fkey ON documents IS 'documents outlive the retention of pages';
COMMENT ON CONSTRAINT documents_source_id_fkey ON documents IS 'documents stay when their source goes';
COMMENT ON CONSTRAINT documents_url_hash_key ON documents IS 'one document a URL; the store finds it by the hash';
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
CREATE INDEX documents_group_idx ON documents (duplicate_group) WHERE duplicate_group IS NOT NULL;
COMMENT ON INDEX documents_group_idx IS 'a search shows one document of a group and says how many it stands for';

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
COMMENT ON TABLE document_versions IS 'What a document said before.';
COMMENT ON CONSTRAINT document_versions_document_id_fkey ON document_versions IS 'history goes with its document';

CREATE TABLE document_tags (
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  tag_id uuid NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, tag_id)
);
COMMENT ON TABLE document_tags IS 'Which document carries which tag.';
COMMENT ON CONSTRAINT document_tags_document_id_fkey ON document_tags IS 'marks go with their document';
COMMENT ON CONSTRAINT document_tags_tag_id_fkey ON document_tags IS 'marks go with their tag';
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
COMMENT ON TABLE chunks IS 'A passage of a document with its place in the text.';
COMMENT ON CONSTRAINT chunks_document_id_fkey ON chunks IS 'passages go with their document';
COMMENT ON CONSTRAINT chunks_document_id_chunk_index_key ON chunks
  IS 'a place in a document holds one passage; also reads them in order';
CREATE INDEX chunks_unembedded_idx ON chunks (id) WHERE embedding_model IS NULL;
COMMENT ON INDEX chunks_unembedded_idx IS 'finds chunks that still need a vector';

-- Chunks that are gone here and may still be in an index: written in the transaction that removed them, deleted once
-- the indexes forgot them.
CREATE TABLE removed_chunks (
  chunk_id uuid PRIMARY KEY,
  document_id uuid NOT NULL
);
COMMENT ON TABLE removed_chunks IS 'A passage that is gone here and may still be in an index.';
CREATE INDEX removed_chunks_document_idx ON removed_chunks (document_id);
COMMENT ON INDEX removed_chunks_document_idx IS 'the next pass over a document finishes what a crash left undone';

-- Products ------------------------------------------------------------------------------------------------------------

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
  checked_at timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz
);
COMMENT ON TABLE products IS 'The structured data of a product page.';
COMMENT ON CONSTRAINT products_page_id_fkey ON products IS 'products outlive the retention of pages';
COMMENT ON CONSTRAINT products_url_hash_key ON products IS 'one product a URL; the store finds it by the hash';
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
COMMENT ON TABLE product_prices IS 'Prices of a product over time; a row per change.';
COMMENT ON CONSTRAINT product_prices_product_id_fkey ON product_prices IS 'the history goes with its product';

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
COMMENT ON TABLE product_images IS 'Images of a product and where their bytes are.';
COMMENT ON CONSTRAINT product_images_product_id_fkey ON product_images IS 'images go with their product';
COMMENT ON CONSTRAINT product_images_product_id_url_key ON product_images IS 'an image is listed once per product';
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
COMMENT ON TABLE parser_runs IS 'How well a parser does on a domain, per day.';

-- Background work -----------------------------------------------------------------------------------------------------

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
COMMENT ON TABLE jobs IS 'Background work that is not a page fetch.';
CREATE INDEX jobs_claim_idx ON jobs (priority, due_at) WHERE status = 'pending';
COMMENT ON INDEX jobs_claim_idx IS 'the next job to run';
CREATE INDEX jobs_lease_idx ON jobs (lease_until) WHERE status = 'running';
COMMENT ON INDEX jobs_lease_idx IS 'the reaper reads only expired leases';
CREATE UNIQUE INDEX jobs_unique_key ON jobs (kind, unique_key) WHERE status IN ('pending', 'running');
COMMENT ON INDEX jobs_unique_key IS 'the same work is never planned twice at once';
CREATE INDEX jobs_done_idx ON jobs (completed_at) WHERE completed_at IS NOT NULL;
COMMENT ON INDEX jobs_done_idx IS 'retention';

-- A row is written in the transaction that changed the document.
--   stage  touch: the text is as it was, only the time it was fetched is another one
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id uuid NOT NULL,
  action text NOT NULL CHECK (action IN ('index', 'delete')),
  priority int NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  stage text NOT NULL DEFAULT 'text' CHECK (stage IN ('text', 'vector', 'touch')),
  attempt int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  worker_id text,
  lease_until timestamptz,
  error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE outbox IS 'What the indexer still has to do.';
CREATE INDEX outbox_claim_idx ON outbox (stage, priority, id);
COMMENT ON INDEX outbox_claim_idx IS 'the next documents to index, urgent ones first';
CREATE INDEX outbox_document_idx ON outbox (document_id);
COMMENT ON INDEX outbox_document_idx IS 'tells whether a document still waits';

-- A webhook of a source has a secret of its own, sealed; one that came with a crawl is signed with the installation's.
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
COMMENT ON TABLE webhooks IS 'Whom to tell when something happened.';
COMMENT ON CONSTRAINT webhooks_source_id_fkey ON webhooks IS 'a webhook of a source goes with it';
COMMENT ON CONSTRAINT webhooks_crawl_id_fkey ON webhooks IS 'a webhook of a crawl goes with it';
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
COMMENT ON TABLE webhook_deliveries IS 'Each message to a webhook, sent or still to send.';
COMMENT ON CONSTRAINT webhook_deliveries_webhook_id_fkey ON webhook_deliveries IS 'deliveries go with their webhook';
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
COMMENT ON INDEX webhook_deliveries_due_idx IS 'the deliveries whose time has come';
CREATE INDEX webhook_deliveries_hook_idx ON webhook_deliveries (webhook_id, id);
COMMENT ON INDEX webhook_deliveries_hook_idx IS 'lists the deliveries of a webhook';
CREATE INDEX webhook_deliveries_crawl_idx ON webhook_deliveries (crawl_id, id);
COMMENT ON INDEX webhook_deliveries_crawl_idx IS 'lists what was told about a crawl';

-- Operate -------------------------------------------------------------------------------------------------------------

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
COMMENT ON TABLE workers IS 'Processes that work now, and when they were last heard of.';

CREATE TABLE stats (
  bucket timestamptz NOT NULL,
  resolution text NOT NULL DEFAULT 'minute' CHECK (resolution IN ('minute', 'day')),
  domain text NOT NULL DEFAULT '',
  metric text NOT NULL,
  value double precision NOT NULL,
  PRIMARY KEY (resolution, bucket, domain, metric)
);
COMMENT ON TABLE stats IS 'Counters per minute, later per day.';

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
COMMENT ON TABLE alerts IS 'Conditions that somebody should look at.';
CREATE UNIQUE INDEX alerts_open_key ON alerts (kind, subject) WHERE resolved_at IS NULL;
COMMENT ON INDEX alerts_open_key IS 'an alert that stands is raised once';

-- Small facts of the installation: the admin's first login, the index generation in force.
CREATE TABLE settings (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE settings IS 'Small facts of this installation.';
