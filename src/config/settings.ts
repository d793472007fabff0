import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * Every setting, with its default. The environment name is the path in capitals, joined by two underscores:
 * `rateLimit.defaultRps` is RATE_LIMIT__DEFAULT_RPS. Fields marked `secret` are never printed.
 */

const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback);
const amount = (fallback: number) => z.coerce.number().min(0).default(fallback);
const flag = (fallback: boolean) =>
  z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0', 'yes', 'no'])])
    .transform((value) => value === true || value === 'true' || value === '1' || value === 'yes')
    .default(fallback);
const list = (fallback: string[], fits: (entry: string) => boolean = () => true, takes = '') =>
  z
    .union([z.array(z.string()), z.string()])
    .transform((value) =>
      (Array.isArray(value) ? value : value.split(',')).map((entry) => entry.trim()).filter((entry) => entry !== ''),
    )
    .refine((entries) => entries.every(fits), `each entry is ${takes}`)
    .default(fallback);
const isCount = (entry: string) => entry !== '' && Number.isFinite(Number(entry)) && Number(entry) >= 0;
const isRange = (entry: string) => {
  const [address = '', bits, ...rest] = entry.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
};
const text = () => z.string().trim().min(1).optional();
const secret = () => text().meta({ secret: true });
const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).prefault({} as never);

export const Settings = z.object({
  appEnv: z.enum(['development', 'production', 'test']).default('development'),
  host: z.string().default('127.0.0.1'),
  port: z.coerce.number().int().min(0).max(65_535).default(53001),
  dataDir: z.string().default('data'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Languages whose pages are kept; * keeps all. */
  languages: list(['en'], (code) => /^(\*|[a-z]{2,3}(-[a-z0-9]{2,8})?)$/i.test(code), 'a language such as en, or *'),
  userAgent: z.string().default('crawl4r/0.1 (+https://github.com/crawl4r/crawl4r)'),

  http: group({
    /** Names this server answers to, besides localhost, its addresses and the machine's own name; * for any. */
    hosts: list([], (name) => /^(\*|[a-z0-9.-]{1,253})$/i.test(name), 'a host name without port, or *'),
    /** Addresses or ranges of proxies in front whose X-Forwarded headers are trusted. */
    trustProxy: list([], isRange, 'an address or a range such as 10.0.0.0/8'),
  }),
  database: group({
    /** Absent: PostgreSQL is started by us, in the data folder. */
    postgresUrl: secret(),
    poolSize: count(10),
    /** False behind a pooler that gives each statement another connection (PgBouncer in transaction mode). */
    preparedStatements: flag(true),
    /** Page cache of the PostgreSQL we start; never more than a quarter of the machine's memory. */
    sharedBuffersMb: count(64),
  }),
  /** What passwords, header values and webhook secrets are encrypted with at rest. */
  secrets: group({
    /** Keys of 32 bytes in base64, separated by commas; the first encrypts, all decrypt. */
    key: secret(),
    /** A file with such keys, one a line. Absent, both: secrets.key in the data folder, made at the first start. */
    keyFile: text(),
  }),
  redis: group({ url: secret(), poolSize: count(10) }),
  rabbitmq: group({ url: secret() }),
  qdrant: group({ url: text(), collection: z.string().default('crawl4r'), apiKey: secret(), batchSize: count(100) }),
  tei: group({
    url: text(),
    batchSize: count(32),
    timeoutS: count(60),
    embeddingDimension: count(1024),
    embeddingModel: z.string().default('qwen3-0.6b-embedding'),
    rerankUrl: text(),
  }),
  openai: group({
    url: text(),
    apiKey: secret(),
    model: text(),
    dimension: count(0),
    batchSize: count(32),
    timeoutS: count(60),
  }),
  crawl4ai: group({ url: text(), timeoutS: count(60) }),
  elasticsearch: group({ url: text(), apiKey: secret(), index: z.string().default('crawl4r') }),
  s3: group({
    endpoint: text(),
    bucket: text(),
    region: z.string().default('us-east-1'),
    accessKey: secret(),
    secretKey: secret(),
  }),

  cache: group({
    maxMb: count(64),
    /** How old a stored response may be to answer for a crawl that names no max_age_s; 0: every crawl fetches. */
    crawlTtlS: count(0),
    embedTtlS: count(604_800),
    queryTtlS: count(3_600),
    queryEmbedTtlS: count(86_400),
  }),
  rateLimit: group({ defaultRps: amount(1), apiRpm: count(60) }),
  circuitBreaker: group({ threshold: count(5), timeoutS: count(300), halfOpenSuccesses: count(2) }),
  job: group({
    maxRetries: count(3),
    retryDelaysS: list(['1', '2', '4'], isCount, 'a number of seconds'),
    timeoutS: count(300),
    /** When a task that failed for good is tried again by itself, once per entry. */
    deadLetterDelaysS: list(['300', '1800', '7200'], isCount, 'a number of seconds'),
    /** Whether that may open a crawl again that has ended. */
    deadLetterReopens: flag(false),
  }),

  fetch: group({
    timeoutMs: count(30_000),
    connectTimeoutMs: count(10_000),
    maxBytes: count(10 * 1024 * 1024),
    maxHeaderBytes: count(64 * 1024),
    maxRedirects: count(5),
    dnsTtlS: count(60),
    maxCrawlDelayS: count(60),
    robotsTtlS: count(86_400),
  }),
  guard: group({
    /** Origins, hosts, addresses or CIDR ranges that may be reached although they are private. */
    allow: list([]),
  }),
  browser: group({ path: text(), maxPages: count(2), timeoutMs: count(30_000), sandbox: flag(true) }),
  frontier: group({
    /** Longer addresses are refused; what is longer than 2,048 always is. */
    maxUrlLength: count(2_048),
    maxDepth: count(10),
    maxLinksPerPage: count(1_000),
    maxNewUrlsPerSecond: count(100),
    maxPerHost: count(100_000),
    maxQueryVariants: count(200),
    maxDates: count(40),
    maxNearDuplicates: count(20),
    /** Shortest and longest time between two visits of a page. */
    minIntervalS: count(3_600),
    maxIntervalS: count(30 * 86_400),
    /** Keep the time between requests near what a site takes to answer. */
    autothrottle: flag(false),
  }),
  worker: group({
    /** Pages a worker holds at once: waiting for their turn, being fetched, parsed or stored. */
    inFlight: count(320),
    /** Requests a worker has open at once. */
    concurrency: count(32),
    domainConcurrency: count(8),
    /** Threads that read pages; 0: one fewer than the machine has cores. */
    parseThreads: count(0),
    leaseS: count(120),
    heartbeatS: count(30),
    pollMs: count(1_000),
    parseTimeoutMs: count(20_000),
    parseMemoryMb: count(256),
    /** Longest time a worker holds a domain's turn for itself. */
    windowMs: count(2_000),
  }),
  proxy: group({
    /** Failures in a row after which a proxy is off for a domain, and for all. */
    domainFailures: count(5),
    failures: count(10),
    checkEveryS: count(60),
    /** What the health check fetches through a proxy; absent: it only looks whether the proxy takes connections. */
    checkUrl: text(),
  }),
  /** Streams and sockets: how often each gets a heartbeat and its caller is checked again, and how much a slow one may leave unread. */
  live: group({ heartbeatMs: count(15_000), maxBufferBytes: count(1_048_576) }),
  discover: group({ commonCrawlUrl: z.string().default('https://index.commoncrawl.org'), maxUrls: count(50_000) }),

  /** Fetch the pictures of products too, type and measure them, and keep each once. */
  products: group({ images: flag(false), maxImageBytes: count(10_000_000) }),

  chunk: group({
    strategy: z.enum(['markdown', 'sentence', 'sliding_window']).default('markdown'),
    size: count(512),
    overlap: count(50),
    min: count(50),
  }),
  embedder: group({
    /** A folder with model.onnx (or model_quantized.onnx) and tokenizer.json; absent: the model that comes along. */
    path: text(),
    pooling: z.enum(['mean', 'cls']).default('mean'),
    queryPrefix: z.string().default(''),
    documentPrefix: z.string().default(''),
    maxTokens: count(512),
    threads: count(0),
    batchSize: count(8),
    /** Whether embedding documents waits while the cores are wanted for something else. */
    yields: flag(true),
  }),
  reranker: group({ path: text(), url: text(), apiKey: secret(), model: text(), topN: count(20) }),
  fulltext: group({ driver: z.enum(['lancedb', 'postgres']).default('lancedb') }),
  /** Indexes of up to so many chunks are searched in memory, which takes about 1.5 MB per 1,000; 0: never. */
  search: group({ memoryRows: count(200_000) }),

  features: group({
    enableReranker: flag(true),
    enableDeepCrawl: flag(true),
    enableWebhooks: flag(true),
    enableUrlDiscovery: flag(true),
    /** Walks through sites that may be open at once; 0: any number. */
    maxConcurrentDeepCrawls: count(0),
    maxPagesPerDeepCrawl: count(1_000_000),
  }),
  retention: group({
    completedTasksD: count(7),
    failedTasksD: count(30),
    pagesD: count(90),
    rawD: count(30),
    jobsD: count(30),
    deletedDocumentsD: count(30),
    statsD: count(7),
    eventsD: count(30),
    /** Entries of the audit trail, which are events too. */
    auditD: count(365),
  }),
});

export type Settings = z.infer<typeof Settings>;
