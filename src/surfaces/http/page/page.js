import { call, logOut, whoAmI } from './api.js';
import { startCrawls } from './crawls.js';
import { byId, h } from './dom.js';
import { offerProvider } from './provider.js';
import { startSearch } from './search.js';

/** Shows who is logged in, or the login; then the crawls and the search. */

const fields = (form) => Object.fromEntries(new FormData(form));

function notice(id, text, bad = true) {
  const element = byId(id);
  element.textContent = text;
  element.classList.toggle('bad', bad);
  element.hidden = text === '';
}

/** Runs `work` when the form is sent; what goes wrong is said below it. */
function onSubmit(formId, noticeId, work) {
  const form = byId(formId);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    notice(noticeId, '');
    try {
      await work(fields(form), form);
    } catch (error) {
      notice(noticeId, error.message);
    } finally {
      button.disabled = false;
    }
  });
}

function showLogin(provider) {
  byId('login').hidden = false;
  offerProvider(provider, (error) => notice('login-notice', error.message));
  if (new URLSearchParams(location.search).get('login') === 'expired')
    notice('login-notice', 'That login link was used before or has expired.');
  onSubmit('login-form', 'login-notice', async (input) => {
    await call('POST', '/auth/login', input);
    location.replace('/');
  });
}

async function showFigures() {
  const { pages, documents, chunks, products, outbox, workers } = await call('GET', '/stats');
  const parts = { pages, documents, passages: chunks, products, 'waiting for the index': outbox, processes: workers };
  byId('figures').replaceChildren(...Object.entries(parts).map(([name, value]) => h('span', {}, `${value} ${name}`)));
}

function showApp(user) {
  byId('app').hidden = false;
  byId('who').textContent = user.email;
  byId('log-out').hidden = false;
  byId('log-out').addEventListener('click', logOut);
  byId('password').hidden = !user.must_change_password;
  onSubmit('password-form', 'password-notice', async (input, form) => {
    await call('POST', '/auth/password', input);
    form.hidden = true;
    notice('password-notice', 'Your password is changed.', false);
  });
  const crawls = startCrawls(showFigures);
  onSubmit('crawl-form', 'crawl-notice', async ({ url, max_depth, max_pages, strategy }) => {
    const depth = Number(max_depth);
    const crawl =
      depth === 0
        ? await call('POST', '/crawl', { urls: [url] })
        : await call('POST', '/crawl/deep', { url, strategy, max_depth: depth, max_pages: Number(max_pages) });
    await crawls.follow(crawl.id);
  });
  startSearch();
  showFigures();
}

const { user, sign_in_with: provider } = await whoAmI();
if (user === null) showLogin(provider);
else showApp(user);
