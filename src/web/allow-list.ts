import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../errors.ts';
import { isWithin, type Range } from './address-ranges.ts';

export interface AllowList {
  /** True when the operator let this host through by name, or this literal address by its text. */
  hasHost(host: string, port: number): boolean;
  /** True when the operator let this address through, whatever name led to it. */
  hasAddress(address: ipaddr.IPv4 | ipaddr.IPv6, port: number): boolean;
}

interface Entry {
  port: number | undefined;
  host?: string;
  /** From `*.corp.example`: the suffix with its leading dot. */
  suffix?: string;
  range?: Range;
}

/**
 * Reads entries of these forms: an origin (https://wiki.corp:8443), a host (wiki.corp), a host and port
 * (wiki.corp:8443), all hosts below a name (*.corp), an address (10.1.2.3, [fd00::1]:8080), a range (10.0.0.0/8).
 * A name lets through whatever it resolves to; without a port, every port is meant.
 */
export function readAllowList(texts: readonly string[]): AllowList {
  const entries = texts.map(readEntry);
  const matches = (port: number, test: (entry: Entry) => boolean | undefined) =>
    entries.some((entry) => (entry.port === undefined || entry.port === port) && test(entry) === true);
  return {
    hasHost: (host, port) =>
      matches(port, (entry) => entry.host === host || (entry.suffix !== undefined && host.endsWith(entry.suffix))),
    hasAddress: (address, port) => matches(port, ({ range }) => range !== undefined && isWithin(address, range)),
  };
}

function readEntry(text: string): Entry {
  const entry = readRange(text) ?? readHost(text);
  if (entry === undefined)
    throw new AppError('CONFIG_INVALID', `GUARD__ALLOW does not take "${text}"`, {
      hint: 'Give origins, hosts, host:port, *.names, addresses or CIDR ranges, separated by commas.',
    });
  return entry;
}

function readRange(text: string): Entry | undefined {
  if (ipaddr.isValidCIDR(text) && isIP(text.slice(0, text.indexOf('/'))) !== 0)
    return { range: ipaddr.parseCIDR(text), port: undefined };
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.parse(text);
  return { range: [address, address.kind() === 'ipv4' ? 32 : 128], port: undefined };
}

function readHost(text: string): Entry | undefined {
  const scheme = /^https?:\/\//i.test(text);
  const wildcard = text.startsWith('*.');
  const url = URL.parse(scheme ? text : `http://${wildcard ? text.slice(2) : text}`);
  if (url === null || url.hostname === '' || url.pathname !== '/' || url.search !== '' || url.username !== '')
    return undefined;
  const written = url.port !== '' ? Number(url.port) : /:80$/.test(text) ? 80 : undefined;
  const port = written ?? (scheme ? (url.protocol === 'https:' ? 443 : 80) : undefined);
  const host = bareHost(url.hostname);
  if (wildcard) return { suffix: `.${host}`, port };
  if (isIP(host) === 0) return { host, port };
  return { ...readRange(host), port };
}

/** A host as names are compared: no brackets, no root dot. */
export const bareHost = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
