import { discoverJob } from './discover.ts';
import { exportJob } from './export.ts';
import { importJob } from './import.ts';
import type { Job } from './job.ts';
import { productImagesJob } from './product-images.ts';
import { seedSitemapsJob } from './seed-sitemaps.ts';

/** Every kind of background work. To add one: its file, and one line here. */
export const JOBS: readonly Job[] = [discoverJob, seedSitemapsJob, productImagesJob, exportJob, importJob];
