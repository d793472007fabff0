-- A third stage: the text is as it was, only the time it was fetched is another one.
ALTER TABLE outbox
  DROP CONSTRAINT outbox_stage_check,
  ADD CONSTRAINT outbox_stage_check CHECK (stage IN ('text', 'vector', 'touch'));
