import { Email } from '../people/user.ts';

interface MailClaims {
  email?: unknown;
  email_verified?: unknown;
  [claim: string]: unknown;
}

/**
 * The mail address and whether the provider has verified it, both from the same place: the ID token if it says both, else the
 * user info. An address of one and a "verified" of the other may be about two addresses.
 */
export function readMail(token: MailClaims, info: MailClaims): { email: string | undefined; verified: boolean } {
  const { email, email_verified: verified } =
    token.email !== undefined && token.email_verified !== undefined ? token : info;
  // Some providers send it as text.
  return { email: Email.safeParse(email).data, verified: verified === true || verified === 'true' };
}
