-- Stored responses answer for crawls that allow an age (max_age_s). Clearing them is a mark on the domain, not a change of a million pages.
ALTER TABLE domains ADD COLUMN responses_cleared_at timestamptz NOT NULL DEFAULT '-infinity';
COMMENT ON COLUMN domains.responses_cleared_at IS 'Responses stored before this time are not reused, whatever age a crawl allows.';
