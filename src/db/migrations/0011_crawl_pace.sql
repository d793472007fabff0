-- What a crawl asks for beyond the pace of its domains: at most one request in pace_ms, in each of them. 0: nothing.
ALTER TABLE crawls ADD COLUMN pace_ms int NOT NULL DEFAULT 0;

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

-- A claim asks whether an address is under way already, for any crawl; lease_until is read from the few rows there are.
DROP INDEX tasks_in_flight_idx;
CREATE INDEX tasks_in_flight_idx ON tasks (domain_id, url_hash) WHERE status IN ('crawling', 'parsing');
COMMENT ON INDEX tasks_in_flight_idx IS 'counts what a domain has in flight, and finds an address among it; the reaper reads it whole, for it is as small as that is';
