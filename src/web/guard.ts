import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { findSpecialUse } from './address-ranges.ts';
import { bareHost, readAllowList } from './allow-list.ts';

export type Verdict = { allowed: true } | { allowed: false; reason: string };

/**
 * Decides where bytes may go. `checkUrl` judges what an address says by itself and comes first; `checkAddress` judges
 * what the name became and is called for every resolved address, at connect time. Both must agree.
 */
export interface Guard {
  checkUrl(url: URL): Verdict;
  /** `host` is the name (or literal) the address was resolved from, `port` the one connected to. */
  checkAddress(address: string, host: string, port: number): Verdict;
}

/** Names that mean this machine, the network around it, or the machine's cloud. */
const PRIVATE_SUFFIXES =
  '.localhost .local .localdomain .localdomain4 .localdomain6 .internal .intranet .private .corp .home .lan .home.arpa .svc'.split(
    ' ',
  );
const PRIVATE_NAMES = new Set(
  (
    'metadata.goog metadata.azure.com metadata.tencentyun.com metadata.packet.net metadata.platformequinix.com ' +
    'metadata.oraclecloud.com'
  ).split(' '),
);

/** Ports no browser sends HTTP to, because other protocols answer there (the "bad ports" of the Fetch standard). */
const OTHER_PROTOCOLS = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 0'
  )
    .split(' ')
    .map(Number),
);

const YES: Verdict = { allowed: true };
const no = (reason: string): Verdict => ({ allowed: false, reason });

export function createGuard(allow: readonly string[]): Guard {
  const allowList = readAllowList(allow);

  function checkAddress(address: string, host: string, port: number): Verdict {
    // A zone id picks a network interface: only local addresses have one.
    if (isIP(address) === 0 || address.includes('%')) return no(`${address} is not an address`);
    let parsed = ipaddr.parse(address);
    if (allowList.hasHost(bareHost(host.toLowerCase()), port) || allowList.hasAddress(parsed, port)) return YES;
    if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
      parsed = parsed.toIPv4Address();
      if (allowList.hasAddress(parsed, port)) return YES;
      return no(`${address} is not a global unicast address`);
    }
    const use = findSpecialUse(parsed);
    return use === undefined ? YES : no(`${address} is for special use: ${use}`);
  }

  function checkUrl(url: URL): Verdict {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return no(`scheme ${url.protocol} is not fetched`);
    // Parsers disagree on what stands before and after an @, which makes it the oldest disguise of a host.
    if (url.username !== '' || url.password !== '') return no('the address holds credentials');
    const host = bareHost(url.hostname);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    if (isIP(host) !== 0) {
      const verdict = checkAddress(host, host, port);
      if (!verdict.allowed) return verdict;
      const listed = allowList.hasAddress(ipaddr.parse(host), port);
      return listed ? YES : checkPort(port);
    }
    if (allowList.hasHost(host, port)) return YES;
    return checkName(host) ?? checkPort(port);
  }

  return { checkUrl, checkAddress };
}

function checkPort(port: number): Verdict {
  return OTHER_PROTOCOLS.has(port) ? no(`port ${port} belongs to another protocol`) : YES;
}

function checkName(host: string): Verdict | undefined {
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..'))
    return no('the host name has an empty part');
  if (!/^[a-z0-9_.-]+$/.test(host)) return no(`${host} is not a host name`);
  // No public name has a single label; the local network and its search domains answer such names.
  if (!host.includes('.')) return no(`${host} is a name of the local network`);
  if (PRIVATE_NAMES.has(host) || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix)))
    return no(`${host} is a name of the local network`);
  return undefined;
}
