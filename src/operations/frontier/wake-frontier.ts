import type { App } from '../../app.ts';
import { markWaiting } from '../../db/frontier/frontier.ts';
import { domainsOf, type TaskSelection } from '../../db/tasks/control-tasks.ts';

/** Tells the workers that a control step may have put tasks back into the frontier. */
export async function wakeFrontier(app: App, selection: TaskSelection): Promise<void> {
  await markWaiting(
    app.database,
    (await domainsOf(app.database, selection)).map((row) => row.id),
  );
  await app.dispatch.announce([]);
}
