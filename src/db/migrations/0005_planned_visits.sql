-- When a page is visited next is what its tasks say; a copy of it beside them was never kept.
ALTER TABLE pages DROP COLUMN IF EXISTS next_crawl_at;
CREATE INDEX IF NOT EXISTS tasks_visit_idx ON tasks (url_hash) WHERE status = 'pending' AND visit > 0;
COMMENT ON INDEX tasks_visit_idx IS 'shows when a page is visited next; holds planned visits only';
