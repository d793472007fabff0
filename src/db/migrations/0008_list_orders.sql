-- Lists that clients poll for what changed last. Rows change in the order of time, so that both indexes grow at their end.
CREATE INDEX documents_updated_idx ON documents (updated_at, id);
COMMENT ON INDEX documents_updated_idx IS 'lists documents by their last change';
CREATE INDEX products_updated_idx ON products (updated_at, id);
COMMENT ON INDEX products_updated_idx IS 'lists products by their last change';
