import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { makeDataFolder } from './config/data-folder.ts';
import { openKeyStore } from './config/secret-keys.ts';
import type { Settings } from './config/settings.ts';
import { ensureLinkKey } from './db/admin/link-key.ts';
import { hasSecretsCheck, verifySecrets } from './db/admin/secrets-check.ts';
import { migrate } from './db/migrate.ts';
import { createFileBlobs } from './drivers/blobs/files.ts';
import { createMemoryCache } from './drivers/cache/memory.ts';
import { createPostgresCounters } from './drivers/counters/postgres.ts';
import { createEmbeddedDatabase } from './drivers/database/embedded.ts';
import { createPostgresDatabase } from './drivers/database/postgres.ts';
import { createPostgresDispatch } from './drivers/dispatch/postgres.ts';
import { chooseEmbedder, EmbedderChoice, openEmbedder } from './drivers/embedder/choose.ts';
import { createChromiumFetcher } from './drivers/fetcher/chromium.ts';
import { createHttpFetcher } from './drivers/fetcher/http.ts';
import { createLanceFulltext } from './drivers/fulltext/lancedb.ts';
import { createPostgresFulltext } from './drivers/fulltext/postgres.ts';
import { refuseMissingEngines } from './drivers/not-available.ts';
import { createPostgresPubSub } from './drivers/pubsub/postgres.ts';
import { chooseReranker } from './drivers/reranker/choose.ts';
import { createLanceVectors } from './drivers/vectors/lancedb.ts';
import { createLog, type Log, writeLines } from './log.ts';
import { createExtractPool, type ExtractPool } from './pipeline/extract/pool.ts';
import { createMemoryPace } from './pipeline/fetch/memory-pace.ts';
import { createPoliteClient, type PoliteClient } from './pipeline/fetch/polite-client.ts';
import { createMemoryRobots } from './pipeline/fetch/robots-store.ts';
import type { Blobs } from './ports/blobs.ts';
import type { Browser } from './ports/browser.ts';
import type { Cache } from './ports/cache.ts';
import type { Counters } from './ports/counters.ts';
import type { Database } from './ports/database.ts';
import type { Dispatch } from './ports/dispatch.ts';
import type { Embedder } from './ports/embedder.ts';
import type { Fetcher } from './ports/fetcher.ts';
import type { Fulltext } from './ports/fulltext.ts';
import type { PubSub } from './ports/pubsub.ts';
import type { Reranker } from './ports/reranker.ts';
import type { Vectors } from './ports/vectors.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createGuard, type Guard } from './web/guard.ts';

/** What every operation and role gets: the settings, and each port with the driver the settings chose. */
export interface App extends AsyncDisposable {
  readonly version: string;
  readonly settings: Settings;
  readonly log: Log;
  readonly guard: Guard;
  readonly database: Database;
  /** Seals what must not be readable at rest. */
  readonly secrets: Secrets;
  readonly cache: Cache;
  /** Counts that hold over all processes. */
  readonly counters: Counters;
  readonly pubsub: PubSub;
  readonly dispatch: Dispatch;
  readonly blobs: Blobs;
  readonly fetcher: Fetcher;
  /** The guarded client for the OpenID provider: it may also reach the origin of its issuer. */
  readonly providerClient: Fetcher;
  /** Runs a page's scripts; rejects with BROWSER_MISSING where no Chromium is found. */
  readonly browser: Browser;
  /** The only pool that parses pages and uploads; no untrusted text is parsed on the main thread. */
  readonly extractor: ExtractPool;
  readonly embedder: Embedder;
  /** How to have this embedder again after the settings changed; kept beside the vectors it made. */
  readonly embedderChoice: unknown;
  openEmbedder(choice: unknown): Embedder | undefined;
  readonly vectors: Vectors;
  /** The vectors of another model: the one that still answers while this one's are being made. */
  openVectors(model: string, dimension: number): Vectors;
  readonly fulltext: Fulltext;
  readonly reranker: Reranker | undefined;
}

/** What a test, or a command that needs less, puts in the place of a driver. */
export type AppOverrides = Partial<Omit<App, 'settings' | 'version' | typeof Symbol.asyncDispose>>;

/**
 * The composition root: the only importer of drivers. Drivers load their heavy parts when first used, so creating
 * them all is cheap. They are disposed of in the reverse order.
 */
export async function createApp(settings: Settings, overrides: AppOverrides = {}): Promise<App> {
  refuseMissingEngines(settings);
  makeDataFolder(settings.dataDir);
  await using made = new AsyncDisposableStack();
  const log = overrides.log ?? createLog({ level: settings.logLevel, stream: made.use(writeLines(process.stderr.fd)) });
  const guard = overrides.guard ?? createGuard(settings.guard.allow);
  const database = overrides.database ?? made.use(await openDatabase(settings));
  if (overrides.database === undefined) await migrate(database);
  const secrets = overrides.secrets ?? (await openSecrets(settings, database));
  const cache = overrides.cache ?? made.use(createMemoryCache({ maxMb: settings.cache.maxMb }));
  // A cache of one process counts for that process alone; then the database counts for all.
  const counters = overrides.counters ?? (cache.shared ? cache : createPostgresCounters({ database }));
  const pubsub = overrides.pubsub ?? made.use(createPostgresPubSub({ database }));
  const dispatch = overrides.dispatch ?? made.use(createPostgresDispatch({ database, pubsub }));
  const blobs = overrides.blobs ?? made.use(openBlobs(settings, database, secrets));
  const fetcher = overrides.fetcher ?? made.use(createHttpFetcher({ guard, settings }));
  const browser = overrides.browser ?? made.use(createChromiumFetcher({ guard, settings }));
  const extractor = overrides.extractor ?? made.use(openExtractor(settings));
  const { tei, openai, reranker: ranker, oidc } = settings;
  const services =
    overrides.fetcher ?? openServices(settings, [tei.url, tei.rerankUrl, openai.url, ranker.url], fetcher, made);
  const providerClient = overrides.providerClient ?? openServices(settings, [oidc.issuer], fetcher, made);
  const embedderChoice = overrides.embedderChoice ?? chooseEmbedder(settings);
  const embedder =
    overrides.embedder ?? made.use(openEmbedder(chooseEmbedder(settings), { fetcher: services, settings }));
  const folder = join(settings.dataDir, 'index');
  const { memoryRows } = settings.search;
  const openVectors =
    overrides.openVectors ??
    ((model, dimension) => createLanceVectors({ folder, space: spaceOf(model), dimension, memoryRows }));
  const vectors = overrides.vectors ?? made.use(openVectors(embedder.model, embedder.dimension));
  const fulltext = overrides.fulltext ?? made.use(openFulltext(settings, database));
  const reranker = overrides.reranker ?? chooseReranker(settings, services);
  if (reranker !== undefined) made.use(reranker);
  const disposal = made.move();
  return {
    version: packageFile.version,
    settings,
    log,
    guard,
    database,
    secrets,
    cache,
    counters,
    pubsub,
    dispatch,
    blobs,
    fetcher,
    providerClient,
    browser,
    extractor,
    embedder,
    embedderChoice,
    openEmbedder:
      overrides.openEmbedder ??
      ((choice) => {
        const parsed = EmbedderChoice.safeParse(choice);
        return parsed.success ? openEmbedder(parsed.data, { fetcher: services, settings }) : undefined;
      }),
    vectors,
    openVectors,
    fulltext,
    reranker,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

export interface Web extends AsyncDisposable {
  readonly polite: PoliteClient;
  readonly fetcher: Fetcher;
  readonly browser: Browser;
  readonly extractor: ExtractPool;
}

/** The way to the web alone, for commands that keep nothing. */
export function openWeb(settings: Settings): Web {
  const guard = createGuard(settings.guard.allow);
  const fetcher = createHttpFetcher({ guard, settings });
  const browser = createChromiumFetcher({ guard, settings });
  const extractor = openExtractor(settings);
  const pace = createMemoryPace({
    defaultRps: settings.rateLimit.defaultRps,
    maxCrawlDelayMs: settings.fetch.maxCrawlDelayS * 1_000,
  });
  return {
    polite: createPoliteClient({ guard, fetcher, pace, robotsStore: createMemoryRobots(), settings }),
    fetcher,
    browser,
    extractor,
    async [Symbol.asyncDispose]() {
      await extractor[Symbol.asyncDispose]();
      await browser[Symbol.asyncDispose]();
      await fetcher[Symbol.asyncDispose]();
    },
  };
}

function openExtractor({ worker }: Settings): ExtractPool {
  return createExtractPool({
    threads: worker.parseThreads || Math.max(1, availableParallelism() - 1),
    timeoutMs: worker.parseTimeoutMs,
    memoryMb: worker.parseMemoryMb,
  });
}

function openDatabase({ database, dataDir }: Settings): Promise<Database> {
  const { postgresUrl: url, poolSize, preparedStatements, sharedBuffersMb } = database;
  if (url === undefined) return createEmbeddedDatabase({ dataDir, poolSize, preparedStatements, sharedBuffersMb });
  return createPostgresDatabase({ url, poolSize, preparedStatements });
}

function openBlobs({ dataDir }: Settings, database: Database, secrets: Secrets): Blobs {
  return createFileBlobs({ folder: join(dataDir, 'blobs'), linkKey: () => ensureLinkKey(database, secrets) });
}

/** The key of the installation, made at its first start. It must be the one that sealed what the database holds. */
async function openSecrets(settings: Settings, database: Database): Promise<Secrets> {
  const store = openKeyStore(settings);
  const made = !(await hasSecretsCheck(database)) && store.create();
  const secrets = createSecrets(() => store.read());
  try {
    await verifySecrets(database, secrets);
  } catch (error) {
    // Another host was first with this database: a key that sealed nothing would only be in the way.
    if (made) store.remove();
    throw error;
  }
  return secrets;
}

function openFulltext(settings: Settings, database: Database): Fulltext {
  if (settings.fulltext.driver === 'postgres') return createPostgresFulltext({ database });
  return createLanceFulltext({
    folder: join(settings.dataDir, 'index'),
    memoryRows: settings.search.memoryRows,
  });
}

/** Services often live on a private address; naming one in the settings allows it, and only for this client. */
function openServices(
  settings: Settings,
  urls: readonly (string | undefined)[],
  fetcher: Fetcher,
  made: AsyncDisposableStack,
): Fetcher {
  const origins = urls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).origin] : []));
  if (origins.length === 0) return fetcher;
  return made.use(createHttpFetcher({ guard: createGuard([...settings.guard.allow, ...origins]), settings }));
}

/** Names the table a model's vectors live in. */
const spaceOf = (model: string) => `vectors_${createHash('sha256').update(model).digest('hex').slice(0, 12)}`;
