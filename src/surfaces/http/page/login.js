import { call } from './api.js';

/** Redeems the token behind the #, which no server has seen so far, then goes to the dashboard. */
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
history.replaceState(null, '', '/login');
const worked = await call('POST', '/auth/login-link/redeem', { token }).then(
  () => true,
  () => false,
);
location.replace(worked ? '/' : '/?login=expired');
