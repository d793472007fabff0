import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** The IANA special-purpose registry for IPv4, multicast and reserved space, and one public address clouds misuse. */
const SPECIAL_V4 = read([
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private network'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local, cloud metadata'],
  ['172.16.0.0/12', 'private network'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'multicast tunnels'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private network'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, broadcast'],
]);

/** What may be reached at all over IPv6. Loopback, mapped, NAT64, unique local, link-local and the rest lie outside. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3');

const SPECIAL_V6 = read([
  ['2001::/23', 'protocol assignments: Teredo, ORCHID, benchmarking'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3ffe::/16', 'former 6bone'],
  ['3fff::/20', 'documentation'],
]);

function read(table: [string, string][]): { range: Range; what: string }[] {
  return table.map(([range, what]) => ({ range: ipaddr.parseCIDR(range), what }));
}

/** Why no connection may be made to this address, or undefined when it is an ordinary public one. */
export function findSpecialUse(address: Address): string | undefined {
  if (address.kind() === 'ipv4') return SPECIAL_V4.find(({ range }) => isWithin(address, range))?.what;
  if (!isWithin(address, GLOBAL_V6)) return 'not a global unicast address';
  const parts = (address as ipaddr.IPv6).parts;
  // The interface id of an ISATAP host: a tunnel to the IPv4 address in its last four bytes.
  if ((parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe) return 'ISATAP tunnel';
  return SPECIAL_V6.find(({ range }) => isWithin(address, range))?.what;
}

export function isWithin(address: Address, [network, bits]: Range): boolean {
  if (address.kind() !== network.kind()) return false;
  return address.kind() === 'ipv4'
    ? (address as ipaddr.IPv4).match(network as ipaddr.IPv4, bits)
    : (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits);
}
