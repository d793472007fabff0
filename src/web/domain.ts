import { isIP } from 'node:net';
import { getDomain } from 'tldts';

/**
 * The unit of politeness for a host: its registrable domain by the public suffix list, private suffixes included, so
 * that two sites on github.io are two domains. Addresses and single-label hosts have none: they are `host:port`.
 * A host that is itself a public suffix stands for itself.
 */
export function domainOf(hostname: string, port: number): string {
  if (hostname.startsWith('[') || !hostname.includes('.') || isIP(hostname) !== 0) return `${hostname}:${port}`;
  return getDomain(hostname, { allowPrivateDomains: true, validateHostname: false, detectIp: false }) ?? hostname;
}
