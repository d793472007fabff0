import type { Secrets } from '../../secrets.ts';
import { PROXY_PURPOSE } from '../admin/sealed-values.ts';

/** A proxy as it is stored: credentials apart from the address, the password sealed. */
export interface ProxySecret {
  url: string;
  username: string | null;
  password: string | null;
}

/** The address a client is given, credentials included. Throws when the password cannot be opened. */
export function toProxyAddress({ url, username, password }: ProxySecret, secrets: Secrets): string {
  if (username === null) return url;
  const opened = password === null ? '' : secrets.open(PROXY_PURPOSE, password);
  return url.replace('://', `://${encodeURIComponent(username)}:${encodeURIComponent(opened)}@`);
}
