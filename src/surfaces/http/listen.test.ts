import assert from 'node:assert/strict';
import { it } from 'node:test';
import { warnOfNetwork } from './listen.ts';

it('warns where others on the network reach the server, and only there', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.equal(warnOfNetwork(host), undefined, host);
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'crawler.example.com']) assert.match(warnOfNetwork(host)!, /TLS/);
});
