import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';

/** How long a sign-in may take. */
export const FLOW_S = 10 * 60;
const PURPOSE = 'oidc:flow';

const Flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  startedAt: z.number(),
});
/** What one sign-in is known by, between its start and its end. */
export type Flow = z.output<typeof Flow>;

export const sealFlow = (app: App, flow: Flow) => app.secrets.seal(PURPOSE, JSON.stringify(flow));

/** SIGN_IN_REFUSED unless this server sealed it, not long ago. */
export function openFlow(app: App, sealed: string | undefined): Flow {
  try {
    const flow = Flow.parse(JSON.parse(app.secrets.open(PURPOSE, sealed ?? '')));
    if (Date.now() - flow.startedAt <= FLOW_S * 1_000) return flow;
  } catch {
    // The answer says all there is to say.
  }
  throw new AppError('SIGN_IN_REFUSED', 'this browser did not start a sign-in, or too long ago', {
    hint: 'Start again from the log-in page.',
  });
}
