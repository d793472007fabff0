-- Header fields leave the options: they are stored by the origin they were given for, {"ORIGIN": {"names": […], "values": sealed}},
-- so that their values are readable nowhere and go to no other site. The headers of webhooks have the same form.
ALTER TABLE crawls ADD COLUMN headers jsonb NOT NULL DEFAULT '{}';
ALTER TABLE crawl_configs ADD COLUMN headers jsonb NOT NULL DEFAULT '{}';
ALTER TABLE sources ADD COLUMN headers jsonb NOT NULL DEFAULT '{}';
UPDATE crawls SET options = options - 'headers', webhook_headers = '{}';
UPDATE crawl_configs SET options = options - 'headers';
UPDATE sources SET options = options - 'headers';
UPDATE webhooks SET headers = '{}';

-- proxies.password, webhooks.secret and webhooks.previous_secret hold sealed values from here on: enc:v1:KEY:DATA.
UPDATE proxies SET password = NULL;
