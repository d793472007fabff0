-- Parsing may be a role of its own: what it takes over is found without reading the tasks that wait for a fetcher.
CREATE INDEX tasks_take_over_idx ON tasks (priority, id)
  WHERE status IN ('downloaded', 'queued_parse') OR (status = 'pending' AND ready AND parse_only);
COMMENT ON INDEX tasks_take_over_idx IS 'the best task whose response is stored, for a parser to take over';
