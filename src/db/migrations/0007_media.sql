-- Captures, uploaded files, figures over time, alerts.

-- What a browser made of a page: a picture, a print, or what scripts returned.
--   key       SHA-256 of kind, address, options, and of the owner where the capture is private
--   private   made with something of the caller's own (scripts): only its owner and admins see it
--   page      what the browser said about the page: address after redirects, status, title
CREATE TABLE captures (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('screenshot', 'pdf', 'scripts')),
  url text NOT NULL,
  key bytea NOT NULL,
  private boolean NOT NULL DEFAULT false,
  owner text NOT NULL,
  page jsonb NOT NULL,
  blob_ref text NOT NULL,
  bytes bigint NOT NULL,
  content_type text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE captures IS 'What a browser made of a page, and where its bytes are.';
CREATE INDEX captures_key_idx ON captures (key, created_at);
COMMENT ON INDEX captures_key_idx IS 'the same request again is answered from here';
CREATE INDEX captures_expiry_idx ON captures (expires_at);
COMMENT ON INDEX captures_expiry_idx IS 'retention';

-- Content alone is in documents; this is the file as it came.
CREATE TABLE uploads (
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  version int NOT NULL,
  name text,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  blob_ref text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (document_id, version)
);
COMMENT ON TABLE uploads IS 'The file a version of a document was uploaded as.';
COMMENT ON CONSTRAINT uploads_document_id_fkey ON uploads IS 'files go with their document';

-- Every figure is written per minute, hour and day at once, so that all three add up to the same sum at any time.
ALTER TABLE stats DROP CONSTRAINT stats_resolution_check;
ALTER TABLE stats ADD CONSTRAINT stats_resolution_check CHECK (resolution IN ('minute', 'hour', 'day'));
COMMENT ON TABLE stats IS 'Counters per minute, hour and day; of the whole installation (domain is empty) and of its busiest domains.';

CREATE INDEX stats_series_idx ON stats (metric, domain, resolution, bucket) INCLUDE (value);
COMMENT ON INDEX stats_series_idx IS 'reads one figure over time, whatever else was counted';

-- The place of `stats` is a position in the log; that of `stats.pages` is a minute, counted from 1970: the first that was not
-- looked at yet.
INSERT INTO event_readers (name, position)
VALUES ('stats', 0), ('stats.pages', floor(extract(epoch FROM now()) / 60));

ALTER TABLE alerts
  ADD COLUMN value double precision,
  ADD COLUMN threshold double precision,
  ADD COLUMN acknowledged_at timestamptz,
  ADD COLUMN acknowledged_by text,
  ADD COLUMN status text GENERATED ALWAYS AS (
    CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'firing' END
  ) STORED;
COMMENT ON COLUMN alerts.status IS 'follows from the times, so that both cannot differ';
CREATE INDEX alerts_status_idx ON alerts (status, id);
COMMENT ON INDEX alerts_status_idx IS 'lists alerts by status, newest last';

-- kind and subject: null means any.
CREATE TABLE alert_silences (
  id uuid PRIMARY KEY,
  kind text,
  subject text,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  until timestamptz NOT NULL
);
COMMENT ON TABLE alert_silences IS 'Alerts that are not raised for a while.';
CREATE INDEX alert_silences_until_idx ON alert_silences (until);
COMMENT ON INDEX alert_silences_until_idx IS 'the silences in force, and the removal of the others';
