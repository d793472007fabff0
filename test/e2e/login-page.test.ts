import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/config/chromium.ts';
import { createUser } from '../../src/operations/people/create-user.ts';
import { resetPassword } from '../../src/operations/people/reset-password.ts';
import { listen } from '../../src/surfaces/http/listen.ts';
import { createServer } from '../../src/surfaces/http/server.ts';
import { noBrowser } from '../support/browser.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { freePort } from '../support/instance.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';

const PASSWORD = 'correct horse battery';

/** The log-in page in a real browser, beside a real OpenID provider. SCREENSHOTS=FOLDER keeps pictures of it. */
describe('the log-in page', { skip: noBrowser }, () => {
  let engine: Engine;
  let provider: OidcProvider;
  let server: ReturnType<typeof createServer>;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let minute = 0;
  const trouble: string[] = [];

  before(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    provider = await startOidcProvider(`${origin}/api/v1/auth/oidc/callback`, {
      ada: { email: 'ada@corp.example', email_verified: true },
      mallory: { email: 'ada@corp.example', email_verified: false },
    });
    engine = await createEngine({
      // The issuer is reached because the settings name it, not because loopback is allowed.
      GUARD__ALLOW: '',
      OIDC__ISSUER: provider.issuer,
      OIDC__CLIENT_ID: 'crawl4r',
      OIDC__CLIENT_SECRET: 'a secret of the client',
      OIDC__NAME: 'Corp',
    });
    server = createServer(engine.app, { now: () => ++minute * 60_000 });
    await listen(server, { host: '127.0.0.1', port });
    browser = await chromium.launch({ executablePath: findChromium(undefined)!, chromiumSandbox: false });
    page = await (await browser.newContext({ viewport: { width: 900, height: 700 } })).newPage();
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await engine?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  const picture = async (name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const who = () => page.locator('#who:not(:empty)').textContent();
  const choose = async (password: string, again: string) => {
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('The same again').fill(again);
    await page.getByRole('button', { name: 'Set password and log in' }).click();
  };
  const logOut = async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  };

  it('lets an invited person choose a password, twice the same, and in', async () => {
    const { invite } = await createUser(engine.app, { email: 'ada@corp.example', role: 'operator' });
    await page.goto(origin + invite.path);
    await page.getByRole('heading', { name: 'Welcome: choose a password' }).waitFor();
    await page.getByRole('button', { name: 'Sign in with Corp' }).waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token is out of the address');
    await picture('invite');
    await choose(PASSWORD, 'something else');
    await page.getByText('The two passwords differ').waitFor();
    await choose(PASSWORD, PASSWORD);
    assert.equal(await who(), 'ada@corp.example');
    await logOut();
    await picture('log-in');
    assert.deepEqual(trouble, []);
    await page.goto(origin + invite.path);
    await choose(PASSWORD, PASSWORD);
    await page.getByText('this link was used before').waitFor();
    await picture('used');
    trouble.length = 0;
  });

  it('lets a person whose password was reset choose another', async () => {
    const [user] = await engine.database.query<{ id: string }>('SELECT id FROM users');
    await page.goto(origin + (await resetPassword(engine.app, user!.id)).path);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await choose(`${PASSWORD} 2`, `${PASSWORD} 2`);
    assert.equal(await who(), 'ada@corp.example');
    await logOut();
    assert.deepEqual(trouble, []);
  });

  it('signs in with the provider, and says why where it does not', async () => {
    const signIn = async (name: string) => {
      await page.goto(`${origin}/`);
      await page.getByRole('button', { name: 'Sign in with Corp' }).click();
      await page.getByPlaceholder('Enter any login').fill(name);
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
    };
    await signIn('mallory');
    await page.getByText('has not verified your mail address').waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await picture('refused');
    trouble.length = 0;
    await page.context().clearCookies();
    await signIn('ada');
    assert.equal(await who(), 'ada@corp.example');
    assert.equal(page.url(), `${origin}/`);
    // The styles of the provider's own page are its business.
    assert.deepEqual(
      trouble.filter((text) => text.includes(origin)),
      [],
    );
    await logOut();
  });

  it('says that the provider does not answer, beside a log-in that works', async () => {
    await provider[Symbol.asyncDispose]();
    const down = createServer({ ...engine.app }, { now: () => ++minute * 60_000 });
    const { origin: there } = await listen(down, { host: '127.0.0.1', port: 0 });
    try {
      await page.goto(there);
      await page.getByRole('button', { name: 'Sign in with Corp' }).click();
      await page.getByText('Corp cannot be asked now').waitFor();
      await page.getByLabel('Email').fill('ada@corp.example');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(`${PASSWORD} 2`);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      assert.equal(await who(), 'ada@corp.example');
    } finally {
      await down.close();
    }
  });
});
