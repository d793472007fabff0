-- Webhooks on the log of events: three scopes, filters, one message at a time to each address.

-- A webhook belongs to a crawl, to a source, or to neither: then it hears of everything. The one of a crawl is signed with the
-- installation's secret, the others with a secret of their own, sealed.
--   events         names of events, and wildcards such as crawl.*
--   filter         {"domains", "collection_ids", "source_ids", "url_pattern", "min_price_change_percent"}, all optional
--   failing_since  no message was delivered since; null: the last one was, or there was none
ALTER TABLE webhooks
  DROP CONSTRAINT webhooks_check,
  DROP CONSTRAINT webhooks_check1,
  ADD COLUMN filter jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN failing_since timestamptz,
  ALTER COLUMN events SET DEFAULT '{crawl.completed,crawl.failed}',
  ADD CONSTRAINT webhooks_one_scope CHECK (source_id IS NULL OR crawl_id IS NULL),
  ADD CONSTRAINT webhooks_own_secret CHECK (crawl_id IS NOT NULL OR secret IS NOT NULL);
CREATE INDEX webhooks_global_idx ON webhooks (id) WHERE source_id IS NULL AND crawl_id IS NULL;
COMMENT ON INDEX webhooks_global_idx IS 'the webhooks of no crawl and no source, which hear of everything';

UPDATE webhooks SET events = ARRAY(SELECT 'crawl.' || name FROM unnest(events) AS name);

-- The webhook given with a crawl is a row from the start, so that it can name events and filters like all others.
INSERT INTO webhooks (id, crawl_id, url, headers, events)
SELECT gen_random_uuid(), id, webhook_url, webhook_headers, '{crawl.completed,crawl.failed,crawl.cancelled}'
FROM crawls WHERE webhook_url IS NOT NULL
ON CONFLICT (crawl_id) DO NOTHING;
ALTER TABLE crawls DROP COLUMN webhook_url, DROP COLUMN webhook_headers;

--   endpoint       a hash of the address: messages to one address go one after the other
--   claimed_until  a sender has it until then; null: none has
ALTER TABLE webhook_deliveries
  ADD COLUMN max_attempts int NOT NULL DEFAULT 9,
  ADD COLUMN endpoint bytea NOT NULL DEFAULT '',
  ADD COLUMN claimed_until timestamptz;
UPDATE webhook_deliveries d SET endpoint = sha256(convert_to(w.url, 'UTF8')) FROM webhooks w
WHERE w.id = d.webhook_id AND d.status = 'pending';
ALTER TABLE webhook_deliveries ALTER COLUMN endpoint DROP DEFAULT;
DROP INDEX webhook_deliveries_due_idx;
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (endpoint, next_attempt_at, id) WHERE status = 'pending';
COMMENT ON INDEX webhook_deliveries_due_idx IS 'the addresses that wait for messages, and the next message of each';
CREATE INDEX webhook_deliveries_claimed_idx ON webhook_deliveries (endpoint, claimed_until)
  WHERE status = 'pending' AND claimed_until IS NOT NULL;
COMMENT ON INDEX webhook_deliveries_claimed_idx IS 'what is being sent to an address now';
CREATE INDEX webhook_deliveries_age_idx ON webhook_deliveries (created_at) WHERE status <> 'pending';
COMMENT ON INDEX webhook_deliveries_age_idx IS 'retention of what was sent or given up';
