import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadSettings } from '../../config/load.ts';
import type { AppError } from '../../errors.ts';
import { refuseExposure, warnOfNetwork } from './listen.ts';

const settings = (env: Record<string, string>) => loadSettings({ APP_ENV: 'test', ...env }).settings;
const OPEN = ['0.0.0.0', '::', '192.168.1.5', 'crawler.example.com'];

describe('an address others reach', () => {
  it('is refused, with the reason and the ways out', () => {
    for (const HOST of OPEN)
      assert.throws(
        () => refuseExposure(settings({ HOST })),
        ({ code, message, hint }: AppError) =>
          code === 'BIND_INSECURE' &&
          message.includes(HOST) &&
          /without encryption/.test(message) &&
          /HTTP__TRUST_PROXY/.test(hint!) &&
          /--insecure/.test(hint!),
        HOST,
      );
  });

  it('is taken where only this machine reaches it, or TLS in front is declared, without a warning', () => {
    for (const env of [
      ...['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', 'localhost'].map((HOST) => ({ HOST })),
      ...OPEN.map((HOST) => ({ HOST, HTTP__TRUST_PROXY: '10.0.0.0/8' })),
    ]) {
      refuseExposure(settings(env));
      assert.equal(warnOfNetwork(settings(env)), undefined, env.HOST);
    }
  });

  it('is taken when the owner insists, with a warning', () => {
    for (const HOST of OPEN) {
      refuseExposure(settings({ HOST, HTTP__INSECURE: 'true' }));
      assert.match(warnOfNetwork(settings({ HOST, HTTP__INSECURE: 'true' }))!, /TLS/);
    }
  });
});
