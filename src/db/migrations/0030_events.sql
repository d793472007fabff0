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

-- The last position that was given. Its one row is locked by whoever gives positions.
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

-- event_seq: the number of the crawl's last event. page_events: write one event a page, because somebody asked for them.
ALTER TABLE crawls ADD COLUMN event_seq bigint NOT NULL DEFAULT 0, ADD COLUMN page_events boolean NOT NULL DEFAULT false;

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
