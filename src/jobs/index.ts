import { discoverJob } from './discover.ts';
import type { Job } from './job.ts';

/** Every kind of background work. To add one: its file, and one line here. */
export const JOBS: readonly Job[] = [discoverJob];
