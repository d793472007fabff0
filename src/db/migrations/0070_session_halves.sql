-- A session is found by both of its halves together; there is nothing beside their hash to keep.
DELETE FROM sessions;
ALTER TABLE sessions DROP COLUMN csrf_token;
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the half in the cookie and the half the page keeps, joined by a dot';
