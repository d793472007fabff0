/** A proxy as it is stored: credentials apart from the address. */
export interface ProxySecret {
  url: string;
  username: string | null;
  password: string | null;
}

/** The address a client is given, credentials included. */
export function toProxyAddress({ url, username, password }: ProxySecret): string {
  if (username === null) return url;
  const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password ?? '')}`;
  return url.replace('://', `://${credentials}@`);
}
