-- What each table is for, and why each key is there. docs/schema.md is made from these words.

COMMENT ON TABLE users IS 'A person who may log in.';
COMMENT ON TABLE sessions IS 'A login that is still good; the token itself is only with the browser.';
COMMENT ON TABLE api_keys IS 'A key for programs: its hash, scopes and rate.';
COMMENT ON TABLE idempotency_keys IS 'What a creating request answered, so that the same request sent again gets the same answer.';
COMMENT ON TABLE collections IS 'A named set of documents.';
COMMENT ON TABLE tags IS 'A word documents are marked with.';
COMMENT ON TABLE crawl_configs IS 'Crawl options kept under a name.';
COMMENT ON TABLE domains IS 'The unit of politeness: policy, circuit, and the turn through which every claim goes.';
COMMENT ON TABLE robots IS 'The robots.txt of an origin, as it was last read.';
COMMENT ON TABLE proxies IS 'A way out other than our own address.';
COMMENT ON TABLE domain_proxies IS 'The proxies a domain uses, with their health there.';
COMMENT ON TABLE sources IS 'A site that is crawled again on a schedule.';
COMMENT ON TABLE crawls IS 'What somebody asked for: one row, one progress.';
COMMENT ON TABLE tasks IS 'One URL inside a crawl, with its life cycle.';
COMMENT ON TABLE task_errors IS 'What went wrong in one attempt of a task.';
COMMENT ON TABLE pages IS 'What is known about a URL: last status, hashes, validators.';
COMMENT ON TABLE page_bands IS 'Parts of the SimHash of a page, by which near-duplicates are found.';
COMMENT ON TABLE links IS 'The outgoing links of a page.';
COMMENT ON TABLE documents IS 'The readable content of a page or an upload, as it is now.';
COMMENT ON TABLE document_versions IS 'What a document said before.';
COMMENT ON TABLE document_tags IS 'Which document carries which tag.';
COMMENT ON TABLE chunks IS 'A passage of a document with its place in the text.';
COMMENT ON TABLE removed_chunks IS 'A passage that is gone here and may still be in an index.';
COMMENT ON TABLE products IS 'The structured data of a product page.';
COMMENT ON TABLE product_prices IS 'Prices of a product over time; a row per change.';
COMMENT ON TABLE product_images IS 'Images of a product and where their bytes are.';
COMMENT ON TABLE parser_runs IS 'How well a parser does on a domain, per day.';
COMMENT ON TABLE jobs IS 'Background work that is not a page fetch.';
COMMENT ON TABLE outbox IS 'What the indexer still has to do.';
COMMENT ON TABLE webhooks IS 'Whom to tell when something happened.';
COMMENT ON TABLE webhook_deliveries IS 'Each message to a webhook, sent or still to send.';
COMMENT ON TABLE workers IS 'Processes that work now, and when they were last heard of.';
COMMENT ON TABLE stats IS 'Counters per minute, later per day.';
COMMENT ON TABLE alerts IS 'Conditions that somebody should look at.';
COMMENT ON TABLE settings IS 'Small facts of this installation.';

COMMENT ON CONSTRAINT api_keys_user_id_fkey ON api_keys IS 'a key ends with the person it belongs to';
COMMENT ON CONSTRAINT chunks_document_id_fkey ON chunks IS 'passages go with their document';
COMMENT ON CONSTRAINT chunks_document_id_chunk_index_key ON chunks
  IS 'a place in a document holds one passage; also reads them in order';
COMMENT ON CONSTRAINT collections_name_key ON collections IS 'people choose a collection by its name';
COMMENT ON CONSTRAINT crawl_configs_name_key ON crawl_configs IS 'people choose a config by its name';
COMMENT ON CONSTRAINT crawls_collection_id_fkey ON crawls IS 'a crawl stays when its collection goes';
COMMENT ON CONSTRAINT crawls_crawl_config_id_fkey ON crawls IS 'a crawl keeps its own options when the config goes';
COMMENT ON CONSTRAINT crawls_source_id_fkey ON crawls IS 'past runs stay when their source goes';
COMMENT ON CONSTRAINT document_tags_document_id_fkey ON document_tags IS 'marks go with their document';
COMMENT ON CONSTRAINT document_tags_tag_id_fkey ON document_tags IS 'marks go with their tag';
COMMENT ON CONSTRAINT document_versions_document_id_fkey ON document_versions IS 'history goes with its document';
COMMENT ON CONSTRAINT documents_collection_id_fkey ON documents IS 'documents stay when their collection goes';
COMMENT ON CONSTRAINT documents_page_id_fkey ON documents IS 'documents outlive the retention of pages';
COMMENT ON CONSTRAINT documents_source_id_fkey ON documents IS 'documents stay when their source goes';
COMMENT ON CONSTRAINT documents_url_hash_key ON documents IS 'one document a URL; the store finds it by the hash';
COMMENT ON CONSTRAINT domain_proxies_domain_id_fkey ON domain_proxies IS 'a pool goes with its domain';
COMMENT ON CONSTRAINT domain_proxies_proxy_id_fkey ON domain_proxies IS 'a proxy leaves every pool when it goes';
COMMENT ON CONSTRAINT domains_domain_key ON domains
  IS 'one row a domain is what makes politeness hold over all workers';
COMMENT ON CONSTRAINT links_page_id_fkey ON links IS 'links go with their page';
COMMENT ON CONSTRAINT pages_url_hash_key ON pages
  IS 'one page a URL; found by the hash, since URLs are too long for an index';
COMMENT ON CONSTRAINT product_images_product_id_fkey ON product_images IS 'images go with their product';
COMMENT ON CONSTRAINT product_images_product_id_url_key ON product_images IS 'an image is listed once per product';
COMMENT ON CONSTRAINT product_prices_product_id_fkey ON product_prices IS 'the history goes with its product';
COMMENT ON CONSTRAINT products_page_id_fkey ON products IS 'products outlive the retention of pages';
COMMENT ON CONSTRAINT products_url_hash_key ON products IS 'one product a URL; the store finds it by the hash';
COMMENT ON CONSTRAINT proxies_name_key ON proxies IS 'people choose a proxy by its name';
COMMENT ON CONSTRAINT robots_domain_id_fkey ON robots IS 'robots files go with their domain';
COMMENT ON CONSTRAINT sessions_user_id_fkey ON sessions IS 'a person who goes is logged out';
COMMENT ON CONSTRAINT sources_collection_id_fkey ON sources IS 'a source stays when its collection goes';
COMMENT ON CONSTRAINT sources_crawl_config_id_fkey ON sources
  IS 'a source falls back to the defaults when its config goes';
COMMENT ON CONSTRAINT tags_name_key ON tags IS 'a word is one tag';
COMMENT ON CONSTRAINT task_errors_task_id_fkey ON task_errors IS 'attempts go with their task';
COMMENT ON CONSTRAINT tasks_crawl_id_fkey ON tasks IS 'tasks go with their crawl';
COMMENT ON CONSTRAINT webhook_deliveries_webhook_id_fkey ON webhook_deliveries IS 'deliveries go with their webhook';
COMMENT ON CONSTRAINT webhooks_source_id_fkey ON webhooks IS 'a webhook of a source goes with it';
COMMENT ON CONSTRAINT webhooks_crawl_id_fkey ON webhooks IS 'a webhook of a crawl goes with it';
