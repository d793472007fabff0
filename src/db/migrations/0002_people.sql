-- People -------------------------------------------------------------------------------------------------------------

-- Three roles: viewer (read), operator (read and write), admin. "user" was the first name of viewer.
ALTER TABLE users DROP CONSTRAINT users_role_check;
UPDATE users SET role = 'viewer' WHERE role = 'user';
ALTER TABLE users ADD CONSTRAINT users_role_check CHECK (role IN ('viewer', 'operator', 'admin'));
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;
COMMENT ON COLUMN users.password_hash IS 'null until the person has chosen a password, and after an admin has reset it';

-- Sessions have a name of their own, so that they can be listed and ended without showing anything of the token.
ALTER TABLE sessions ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE sessions ALTER COLUMN id DROP DEFAULT;
CREATE UNIQUE INDEX sessions_id_key ON sessions (id);
COMMENT ON INDEX sessions_id_key IS 'people list their sessions and end one by its id';
COMMENT ON COLUMN sessions.expires_at IS '24 hours after the last use, and never later than 30 days after the log-in';

CREATE TABLE user_links (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('invite', 'reset')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE user_links IS 'The link a person chooses a password with. It works once; a new one replaces it.';
COMMENT ON COLUMN user_links.token_hash IS 'SHA-256 of the token, which is only in the link';
COMMENT ON CONSTRAINT user_links_user_id_fkey ON user_links IS 'a link goes with the person it was made for';
CREATE UNIQUE INDEX user_links_token_key ON user_links (token_hash);
COMMENT ON INDEX user_links_token_key IS 'a link is found by the hash of its token';

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
COMMENT ON TABLE user_identities IS 'The account at an OpenID provider that a person signs in with.';
COMMENT ON COLUMN user_identities.email IS 'what the provider said at the last sign-in; it decides nothing';
COMMENT ON CONSTRAINT user_identities_user_id_fkey ON user_identities IS 'an account is forgotten with the person';
CREATE UNIQUE INDEX user_identities_user_key ON user_identities (user_id, issuer);
COMMENT ON INDEX user_identities_user_key IS 'a person has one account per provider: an address that the provider gives to somebody else does not take the person over';
