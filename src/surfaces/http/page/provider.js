import { byId, h } from './dom.js';

/** Shows a button for the OpenID provider, if there is one; `onError` hears why it cannot be asked. */
export function offerProvider(name, onError) {
  if (name === null) return;
  const button = h('button', { type: 'button', className: 'plain' }, `Sign in with ${name}`);
  button.addEventListener('click', async () => {
    button.disabled = true;
    const error = await tryStart();
    if (error === undefined) location.assign('/api/v1/auth/oidc/start');
    else {
      onError(error);
      button.disabled = false;
    }
  });
  byId('provider').replaceChildren(button);
  byId('provider').hidden = false;
}

/** A provider that is down answers here, where it can be said in words; the way to it is a redirect, which is not followed. */
async function tryStart() {
  const response = await fetch('/api/v1/auth/oidc/start', { redirect: 'manual' });
  if (response.type === 'opaqueredirect') return undefined;
  const { error, hint } = await response.json();
  return new Error([error, hint].filter(Boolean).join('. '));
}
