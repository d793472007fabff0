-- The address a page says its content belongs to (rel=canonical), where that is another one of its domain.
ALTER TABLE pages ADD COLUMN canonical_url text, ADD COLUMN canonical_hash bytea;
CREATE INDEX pages_canonical_idx ON pages (canonical_hash) WHERE canonical_hash IS NOT NULL;
COMMENT ON INDEX pages_canonical_idx IS 'when a canonical page is stored, the pages that name it are found';
