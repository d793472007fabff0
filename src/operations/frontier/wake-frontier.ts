import type { App } from '../../app.ts';
import { domainsOf, type TaskSelection } from '../../db/tasks/control-tasks.ts';
import { wakeDomains } from '../../pipeline/frontier/wake-domains.ts';

/** Tells the workers that a control step may have put tasks back into the frontier. */
export async function wakeFrontier(app: App, selection: TaskSelection): Promise<void> {
  const domains = await domainsOf(app.database, selection);
  await wakeDomains(
    app,
    domains.map(({ id }) => ({ domain_id: id })),
  );
}
