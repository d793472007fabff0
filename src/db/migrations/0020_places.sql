-- The pace of a domain: rate_limit_rps spaces the starts of its requests, with max_concurrency under way; crawl_delay_ms and
-- throttle_ms count from the answer, one request at a time. Where both are set, both hold.

-- A place is taken in the row of turns (next_at), and counts as a request under way until it is given back.
CREATE TABLE side_requests (
  id uuid PRIMARY KEY,
  domain_id uuid NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  proxy_id uuid REFERENCES proxies (id) ON DELETE CASCADE,
  start_at timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
);
COMMENT ON TABLE side_requests IS
  'Requests to a domain that are no task: robots.txt, redirects from elsewhere, sitemaps, images, captures. A row is a place that waits or is under way.';
COMMENT ON CONSTRAINT side_requests_domain_id_fkey ON side_requests IS 'a domain that is deleted has no requests';
COMMENT ON CONSTRAINT side_requests_proxy_id_fkey ON side_requests IS 'nothing is sent through a proxy that is deleted';
CREATE INDEX side_requests_domain_idx ON side_requests (domain_id);
COMMENT ON INDEX side_requests_domain_idx IS 'a claim counts what is under way at a domain';

-- The delay after the last answer, or a pause the site asked for, ends here: places taken before it was known wait for it.
ALTER TABLE domains ADD COLUMN open_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE domain_proxies ADD COLUMN open_at timestamptz NOT NULL DEFAULT '-infinity';
