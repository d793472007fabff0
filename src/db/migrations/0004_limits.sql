-- Limits that hold over all processes, and word of every change that decides who a caller is.

-- Without a write-ahead log: a count is written for a part of the requests, and losing all of them costs a minute's limits.
CREATE UNLOGGED TABLE counters (
  key text PRIMARY KEY,
  count bigint NOT NULL,
  ends_at timestamptz NOT NULL
);
COMMENT ON TABLE counters IS 'Counts within windows of time, shared by all processes: requests a minute, tries to log in. May be emptied at any time.';
CREATE INDEX counters_end_idx ON counters (ends_at);
COMMENT ON INDEX counters_end_idx IS 'windows that are over are removed';

-- Processes keep callers they have looked up for a few seconds. Whatever changes a key, a session or a person, in whatever
-- way, makes them look again: the notice leaves with the commit, so no writer can forget it. Columns that only say when
-- something was used do not count, nor does a later end: whoever is kept until the earlier one is looked up again then.
CREATE FUNCTION notify_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND
    to_jsonb(OLD) - '{last_used_at,last_seen_at,last_login_at,updated_at,expires_at}'::text[] =
    to_jsonb(NEW) - '{last_used_at,last_seen_at,last_login_at,updated_at,expires_at}'::text[]
    AND coalesce(to_jsonb(NEW) ->> 'expires_at', '9') >= coalesce(to_jsonb(OLD) ->> 'expires_at', '9')
  THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('crawl4r_access', '');
  RETURN NULL;
END $$;

CREATE TRIGGER users_notify AFTER UPDATE OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER sessions_notify AFTER UPDATE OR DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER api_keys_notify AFTER UPDATE OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
-- A key that is bound to a collection sees nothing once that is gone.
CREATE TRIGGER collections_notify AFTER DELETE ON collections
  FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
