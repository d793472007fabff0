-- A document whose page is no longer there leaves search and catalogue and keeps its history. Why it left:
--   not_found  the address answered 404 or 410
--   moved      it leads elsewhere for good (301, 308)
--   noindex    it asks not to be indexed
--   duplicate  its content is found under its canonical address
-- Unlike a deleted one it is never purged, and comes back by itself when its page does.
ALTER TABLE documents
  ADD COLUMN gone_at timestamptz,
  ADD COLUMN gone_reason text CHECK (gone_reason IN ('not_found', 'moved', 'noindex', 'duplicate'));
ALTER TABLE products ADD COLUMN gone_at timestamptz;
