import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGuard } from './guard.ts';

const strict = createGuard([]);
const urlAllowed = (url: string, guard = strict) => guard.checkUrl(new URL(url)).allowed;
const addressAllowed = (address: string, guard = strict, host = 'example.com', port = 80) =>
  guard.checkAddress(address, host, port).allowed;

const SPECIAL = (
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 ' +
  '172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 ' +
  '203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 ' +
  ':: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 ' +
  '64:ff9b::808:808 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 ' +
  '2002:7f00:1:: 2002:808:808:: 3fff::1 3ffe::1 2620:4f:8000::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 4000::1 ' +
  '5f00::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:a00:1'
).split(' ');
const PUBLIC =
  '1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 192.0.1.1 198.20.0.1 2606:4700::1111'.split(' ');

describe('checkAddress', () => {
  for (const address of SPECIAL) it(`refuses ${address}`, () => assert.equal(addressAllowed(address), false));
  for (const address of PUBLIC) it(`lets ${address} through`, () => assert.equal(addressAllowed(address), true));

  it('refuses what is not a plain address', () => {
    for (const text of ['', 'localhost', 'fe80::1%eth0', '2606:4700::1111%1', '[::1]', '0x7f.1', '8.8.8.8 ', '1.1.1'])
      assert.equal(addressAllowed(text), false, text);
  });

  it('never lets an IPv6 address through outside 2000::/3', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre((groups[0]! & 0xe000) !== 0x2000);
        assert.equal(addressAllowed(groups.map((part) => part.toString(16)).join(':')), false);
      }),
    );
  });
});

describe('checkUrl', () => {
  it('judges the parsed host, however it is written', () => {
    for (const host of (
      '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0x7f.0.0.1 127.0.0.1. 127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 ' +
      '[::1] [::ffff:7f00:1] [::ffff:127.0.0.1] [0:0:0:0:0:0:0:1] 169.254.169.254 2852039166 0 0.0.0.0 [::]'
    ).split(' '))
      assert.equal(urlAllowed(`http://${host}/`), false, host);
  });

  it('refuses names of the local network', () => {
    for (const host of (
      'localhost LOCALHOST localhost. a.localhost foo.local printer.lan db.internal metadata.google.internal metadata ' +
      'ip6-localhost wiki host.docker.internal router.home.arpa api.default.svc localhost.localdomain metadata.goog'
    ).split(' '))
      assert.equal(urlAllowed(`https://${host}/`), false, host);
  });

  it('refuses other schemes, credentials and ports of other protocols', () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'gopher://example.com/',
      'http://user@example.com/',
      'http://127.0.0.1:80@example.com/',
      'http://example.com:22/',
      'http://8.8.8.8:25/',
      'http://example.com:0/',
    ])
      assert.equal(urlAllowed(url), false, url);
  });

  it('lets ordinary addresses through', () => {
    for (const url of [
      'https://example.com/',
      'http://example.com:8080/',
      'http://8.8.8.8/',
      'http://[2606:4700::1111]:8443/',
      'https://xn--mnchen-3ya.de./',
      'https://local.example.com/',
      'https://mylocal/'.replace('mylocal', 'internal.dev'),
    ])
      assert.equal(urlAllowed(url), true, url);
  });
});

describe('allow-list', () => {
  it('takes origins, hosts, ports, wildcards, addresses and ranges', () => {
    const guard = createGuard([
      'http://intranet:8080',
      'wiki.corp',
      'db.internal:5000',
      '*.lab.local',
      '10.1.2.3',
      '[fd00::1]:8443',
      '192.168.0.0/16',
      '127.0.0.1:3000',
    ]);
    for (const url of [
      'http://intranet:8080/',
      'https://wiki.corp:9999/',
      'http://db.internal:5000/',
      'http://a.b.lab.local/',
      'http://10.1.2.3:22/',
      'http://[fd00::1]:8443/',
      'http://192.168.7.7/',
      'http://127.0.0.1:3000/',
    ])
      assert.equal(urlAllowed(url, guard), true, url);
    for (const url of [
      'http://intranet/',
      'http://db.internal/',
      'http://lab.local/',
      'http://xlab.local/',
      'http://10.1.2.4/',
      'http://[fd00::1]/',
      'http://192.169.0.1:22/',
      'http://127.0.0.1/',
      'http://127.0.0.1:3001/',
    ])
      assert.equal(urlAllowed(url, guard), false, url);
  });

  it('lets an allowed name resolve to anything, at its port only', () => {
    const guard = createGuard(['wiki.corp:8080']);
    assert.equal(addressAllowed('10.0.0.1', guard, 'wiki.corp', 8080), true);
    assert.equal(addressAllowed('10.0.0.1', guard, 'WIKI.corp.', 8080), true);
    assert.equal(addressAllowed('10.0.0.1', guard, 'wiki.corp', 80), false);
    assert.equal(addressAllowed('10.0.0.1', guard, 'other.corp', 8080), false);
  });

  it('lets an allowed address be reached by any name, mapped too', () => {
    const guard = createGuard(['10.0.0.0/8']);
    assert.equal(addressAllowed('10.9.9.9', guard, 'site.example.com'), true);
    assert.equal(addressAllowed('::ffff:10.9.9.9', guard, 'site.example.com'), true);
    assert.equal(addressAllowed('11.9.9.9', guard), true);
    assert.equal(addressAllowed('127.0.0.1', guard), false);
  });

  it('says which entry it does not understand', () => {
    for (const entry of ['10.0.0.0/99', 'http://host/path', 'a b', '999.1.1.1', '*.', 'http://u:p@host'])
      assert.throws(() => createGuard([entry]), { code: 'CONFIG_INVALID' }, entry);
  });
});
