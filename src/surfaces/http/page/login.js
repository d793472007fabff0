import { call, whoAmI } from './api.js';
import { byId } from './dom.js';
import { offerProvider } from './provider.js';

/**
 * What leads into the dashboard by a link: what stands behind the #, which no server has seen so far, is taken out of the
 * address and sent in a POST.
 */
const given = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', '/login');
// Another link that is opened in this tab changes the part behind the # alone.
addEventListener('hashchange', () => location.reload());

function complain(error) {
  byId('notice').textContent = error.message;
  byId('notice').hidden = false;
}

async function offer() {
  const name = await whoAmI().then(
    (me) => me.sign_in_with,
    () => null,
  );
  offerProvider(name, complain);
}

/** A link that leads nowhere: says why, and where else to go. */
async function giveUp(title, error) {
  byId('title').textContent = title;
  if (error !== undefined) complain(error);
  byId('back').hidden = false;
  await offer();
}

async function choosePassword(title, token) {
  const form = byId('choose');
  byId('title').textContent = title;
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { password, again } = Object.fromEntries(new FormData(form));
    if (password !== again) return complain(new Error('The two passwords differ.'));
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      await call('POST', '/auth/invite/redeem', { token, password });
      location.replace('/');
    } catch (error) {
      complain(error);
      button.disabled = false;
      if (error.code !== 'LINK_EXPIRED') return;
      form.hidden = true;
      byId('title').textContent = 'This link no longer works';
      byId('back').hidden = false;
    }
  });
  await offer();
}

if (given.has('token')) {
  const worked = await call('POST', '/auth/login-link/redeem', { token: given.get('token') }).then(
    () => true,
    () => false,
  );
  location.replace(worked ? '/' : '/?login=expired');
} else if (given.has('invite')) await choosePassword('Welcome: choose a password', given.get('invite'));
else if (given.has('reset')) await choosePassword('Choose a new password', given.get('reset'));
else if (given.has('oidc')) {
  await call('POST', '/auth/oidc/redeem', { query: given.get('oidc') }).then(
    () => location.replace('/'),
    (error) => giveUp('Not signed in', error),
  );
} else await giveUp('Log in');
