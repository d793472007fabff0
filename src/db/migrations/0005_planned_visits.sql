-- When a page is visited next is what its tasks say; a copy of it beside them was never kept.
ALTER TABLE pages DROP COLUMN next_crawl_at;
CREATE INDEX tasks_visit_idx ON tasks (url_hash) WHERE status = 'pending' AND visit > 0;
COMMENT ON INDEX tasks_visit_idx IS 'shows when a page is visited next; holds planned visits only';
