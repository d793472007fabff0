-- Documents that are nearly the same share a group: the page id of the one that was there first. That one has no group of its
-- own until its content changes; it then gets a new one, so that those it stood for do not follow it.
ALTER TABLE documents ADD COLUMN duplicate_group uuid;
CREATE INDEX documents_group_idx ON documents (duplicate_group) WHERE duplicate_group IS NOT NULL;
COMMENT ON INDEX documents_group_idx IS 'a search shows one document of a group and says how many it stands for';
