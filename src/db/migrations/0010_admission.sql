-- Planned visits keep no crawl open, and the page limit is about first visits.
--   visits_planned  tasks that are planned visits (db/tasks/states.ts); not among pages_discovered
--   revisits        tasks among pages_discovered that are further visits
ALTER TABLE crawls ADD COLUMN visits_planned int NOT NULL DEFAULT 0, ADD COLUMN revisits int NOT NULL DEFAULT 0;
-- Ends of crawls are events.
ALTER TABLE crawls DROP COLUMN tell_end;

-- Priority holds over all crawls of a domain, so it comes before the strategy of each.
DROP INDEX tasks_claim_idx;
CREATE INDEX tasks_claim_idx ON tasks (domain_id, priority, rank, id) WHERE status = 'pending' AND ready;
COMMENT ON INDEX tasks_claim_idx IS 'the best task of a domain is its first entry: by priority, then strategy, then age';
