-- Archives that are read as if they had been fetched.

ALTER TABLE crawls DROP CONSTRAINT crawls_kind_check;
ALTER TABLE crawls ADD CONSTRAINT crawls_kind_check
  CHECK (kind IN ('urls', 'batch', 'deep', 'source', 'recurring', 'import'));

--   crawl_id  the crawl its pages belong to: progress, refusals and events are the crawl's
--   blob_ref  where an archive that was sent over HTTP is kept until it is read; null when it is a file, or read to its end
--   records   how many records were read; written with the tasks made from them, so that a second run goes on behind them
--   ignored   records that hold no page: requests, metadata, redirects
--   problem   why it could not be read to its end
CREATE TABLE imports (
  crawl_id uuid PRIMARY KEY REFERENCES crawls (id) ON DELETE CASCADE,
  name text NOT NULL,
  blob_ref text,
  records bigint NOT NULL DEFAULT 0,
  taken bigint NOT NULL DEFAULT 0,
  ignored bigint NOT NULL DEFAULT 0,
  problem jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz
);
COMMENT ON TABLE imports IS 'An archive that is being read, or was.';
COMMENT ON CONSTRAINT imports_crawl_id_fkey ON imports IS 'an import goes with its crawl';
CREATE INDEX imports_blob_idx ON imports (blob_ref) WHERE blob_ref IS NOT NULL;
COMMENT ON INDEX imports_blob_idx IS 'an archive is removed when no import needs it any more';

CREATE INDEX jobs_export_idx ON jobs (id) WHERE kind = 'export';
COMMENT ON INDEX jobs_export_idx IS 'whether another export has the same file, when one is deleted';
