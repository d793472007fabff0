import { z } from 'zod';
import { amount, choice, count, flag, group, isCount, isRange, issuer, list, secret, text, word } from './fields.ts';

/**
 * Every setting, with its default. The environment name is the path in capitals, joined by two underscores:
 * `rateLimit.defaultRps` is RATE_LIMIT__DEFAULT_RPS. Secrets are never printed. .env.example is made from this.
 */
export const Settings = z.object({
  appEnv: choice(['development', 'production', 'test'], 'development', 'What this installation is for'),
  host: word('127.0.0.1', 'Address the server listens on; 0.0.0.0 for all.'),
  port: z.coerce.number().int().min(0).max(65_535).default(53001).describe('Port the server listens on; 0 for any.'),
  dataDir: word('data', 'Folder for everything that is kept.'),
  logLevel: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least weight of what is logged'),
  languages: list(
    ['en'],
    'Languages whose pages are kept; * keeps all.',
    (code) => /^(\*|[a-z]{2,3}(-[a-z0-9]{2,8})?)$/i.test(code),
    'a language such as en, or *',
  ),
  userAgent: word('crawl4r/0.1 (+https://github.com/crawl4r/crawl4r)', 'How it names itself to sites.'),

  http: group('The server', {
    hosts: list(
      [],
      "Names this server answers to, besides localhost, its addresses and the machine's own name; * for any.",
      (name) => /^(\*|[a-z0-9.-]{1,253})$/i.test(name),
      'a host name without port, or *',
    ),
    trustProxy: list(
      [],
      'Addresses or ranges of proxies in front whose X-Forwarded headers are trusted.',
      isRange,
      'an address or a range such as 10.0.0.0/8',
    ),
    insecure: flag(false, 'Listen on an address others reach although no proxy with TLS is declared in front.'),
    maxUploadMb: count(100, 'Largest upload of files (multipart/form-data) in one request; JSON bodies end at 10 MB.'),
    maxFileMb: count(10, 'Largest file of an upload.'),
    headersTimeoutMs: count(10_000, 'Longest time a client may take to send the head of a request.'),
    requestTimeoutMs: count(60_000, 'Longest time a client may take to send a whole request.'),
    keepAliveTimeoutMs: count(72_000, 'How long a connection without a request is kept.'),
    unreadTimeoutMs: count(60_000, 'How long an answer may lie unread before the connection is closed.'),
    maxHeaderBytes: count(16_384, 'Longest head of a request.'),
    maxHeaders: count(100, 'Fields in the head of a request at most.'),
    maxConnections: count(10_000, 'Connections of a process at most.'),
    maxConnectionsPerIp: count(
      500,
      'Connections from one address (IPv6: one /64) at most; proxies of HTTP__TRUST_PROXY are not counted; 0: any number.',
    ),
    maxRequestsPerConnection: count(10_000, 'Requests after which a connection is closed; 0: any number.'),
  }),
  oidc: group('Sign-in with an OpenID provider', {
    issuer: issuer('Such as https://login.example.com; absent: people log in with passwords alone.'),
    clientId: text('As the provider knows this installation.'),
    clientSecret: secret('Absent for a public client: PKCE alone proves it.'),
    name: word('OpenID', 'What the button says: Sign in with NAME.'),
    allowedDomains: list(
      [],
      'Mail domains whose people are let in without an invite; * for any. Empty: only people who are in the list of users.',
      (name) => /^(\*|[a-z0-9.-]{1,253})$/i.test(name),
      'a domain such as example.com, or *',
    ),
    defaultRole: choice(
      ['viewer', 'operator', 'admin', 'none'],
      'viewer',
      'Role of people who are let in that way; none lets in only people who are in the list of users',
    ),
    roleClaim: text('Claim that holds roles, such as groups or realm_access.roles; absent: roles are given here.'),
    roleMap: list(
      [],
      'Values of that claim and their roles, such as crawl-admins=admin; names of roles stand for themselves.',
      (entry) => /^[^=]+=(viewer|operator|admin)$/.test(entry),
      'VALUE=viewer, VALUE=operator or VALUE=admin',
    ),
  }),
  database: group('PostgreSQL', {
    postgresUrl: secret('Absent: PostgreSQL is started by us, in the data folder.'),
    poolSize: count(10, 'Connections of a process at most.'),
    preparedStatements: flag(
      true,
      'False behind a pooler that gives each statement another connection (PgBouncer in transaction mode).',
    ),
    sharedBuffersMb: count(
      64,
      "Page cache of the PostgreSQL we start; never more than a quarter of the machine's memory.",
    ),
  }),
  secrets: group('What passwords, header values and webhook secrets are encrypted with at rest', {
    key: secret('Keys of 32 bytes in base64, separated by commas; the first encrypts, all decrypt.'),
    keyFile: text(
      'A file with such keys, one a line. Absent, both: secrets.key in the data folder, made at the first start.',
    ),
  }),
  redis: group('Redis, for cache, messages and delivery of work (no driver in this version)', {
    url: secret('Such as redis://localhost:6379/0.'),
    poolSize: count(10, 'Connections of a process.'),
  }),
  rabbitmq: group('RabbitMQ, for delivery of work (no driver in this version)', {
    url: secret('Such as amqp://localhost:5672.'),
  }),
  qdrant: group('Qdrant, for vectors (no driver in this version)', {
    url: text('Such as http://localhost:6333.'),
    collection: word('crawl4r', 'Start of the names of its collections.'),
    apiKey: secret('Sent with each request.'),
    batchSize: count(100, 'Points in one request.'),
  }),
  tei: group('Text Embeddings Inference instead of the model that comes along', {
    url: text('Such as http://localhost:8080.'),
    batchSize: count(32, 'Texts in one request.'),
    timeoutS: count(60, 'Longest time for an answer.'),
    embeddingDimension: count(1024, 'Numbers in a vector.'),
    embeddingModel: word('qwen3-0.6b-embedding', 'Name the vectors are kept under.'),
    rerankUrl: text('A server with a reranking model.'),
  }),
  openai: group('An embedding service with the API of OpenAI instead of the model that comes along', {
    url: text('Such as http://localhost:11434/v1.'),
    apiKey: secret('Sent with each request.'),
    model: text('Name of the model.'),
    dimension: count(0, 'Numbers in a vector of that model; has to be given.'),
    batchSize: count(32, 'Texts in one request.'),
    timeoutS: count(60, 'Longest time for an answer.'),
  }),
  crawl4ai: group('Crawl4AI, for pages that need scripts (no driver in this version)', {
    url: text('Such as http://localhost:11235.'),
    timeoutS: count(60, 'Longest time for an answer.'),
  }),
  elasticsearch: group('Elasticsearch, for keywords (no driver in this version)', {
    url: text('Such as http://localhost:9200.'),
    apiKey: secret('Sent with each request.'),
    index: word('crawl4r', 'Start of the names of its indexes.'),
  }),
  s3: group('An S3 store, for responses and files (no driver in this version)', {
    endpoint: text('Such as http://localhost:9000.'),
    bucket: text('Name of the bucket.'),
    region: word('us-east-1', 'Region requests are signed for.'),
    accessKey: secret('Its user.'),
    secretKey: secret('Its password.'),
  }),

  cache: group('What is kept to save work', {
    maxMb: count(64, 'Memory of a process for its cache.'),
    crawlTtlS: count(
      0,
      'How old a stored response may be to answer for a crawl that names no max_age_s; 0: every crawl fetches.',
    ),
    embedTtlS: count(604_800, 'How long vectors of texts are kept.'),
    queryTtlS: count(3_600, 'How long results of searches are kept.'),
    queryEmbedTtlS: count(86_400, 'How long vectors of queries are kept.'),
  }),
  rateLimit: group('How often', {
    defaultRps: amount(1, 'Requests a second to a domain that has no rate of its own.'),
    apiRpm: count(60, 'Requests a minute of an API key that has no limit of its own.'),
  }),
  quota: group('What a key, and a person over all their keys, may ask for where no quota of their own is set', {
    maxOpenCrawls: count(0, 'Crawls open at once; 0: no limit.'),
    maxPagesPerDay: count(0, 'Pages stored in a UTC day; 0: no limit.'),
  }),
  circuitBreaker: group('When a domain that fails is left alone', {
    threshold: count(5, 'Failures in a row.'),
    timeoutS: count(300, 'For how long.'),
    halfOpenSuccesses: count(2, 'Successes after which all is well again.'),
  }),
  imports: group('Archives that are imported', {
    maxMb: count(10_240, 'Largest archive that is taken over HTTP; the command line has no limit.'),
  }),
  job: group('Pages and background jobs that fail', {
    maxRetries: count(3, 'Further attempts.'),
    retryDelaysS: list(['1', '2', '4'], 'Time before each of them.', isCount, 'a number of seconds'),
    timeoutS: count(300, 'Longest time of a background job.'),
    deadLetterDelaysS: list(
      ['300', '1800', '7200'],
      'When a task that failed for good is tried again by itself, once per entry.',
      isCount,
      'a number of seconds',
    ),
    deadLetterReopens: flag(false, 'Whether that may open a crawl again that has ended.'),
  }),

  fetch: group('Requests to sites', {
    timeoutMs: count(30_000, 'Longest time for a response.'),
    connectTimeoutMs: count(10_000, 'Longest time for a connection.'),
    maxBytes: count(10 * 1024 * 1024, 'Longest response.'),
    maxHeaderBytes: count(64 * 1024, 'Longest header.'),
    maxRedirects: count(5, 'Redirects that are followed.'),
    dnsTtlS: count(60, 'How long a resolved name is kept.'),
    maxCrawlDelayS: count(60, 'Longest Crawl-delay of a robots.txt that is obeyed.'),
    robotsTtlS: count(86_400, 'How long a robots.txt is kept.'),
  }),
  guard: group('Private addresses', {
    allow: list([], 'Origins, hosts, addresses or CIDR ranges that may be reached although they are private.'),
  }),
  browser: group('Chromium, for pages that need scripts', {
    path: text('The program; absent: it is looked for.'),
    maxPages: count(2, 'Pages open at once.'),
    timeoutMs: count(30_000, 'Longest time for a page.'),
    sandbox: flag(true, 'Whether pages run in its sandbox.'),
  }),
  frontier: group('Which links enter a crawl, and when pages are visited again', {
    maxUrlLength: count(2_048, 'Longer addresses are refused; what is longer than 2,048 always is.'),
    maxDepth: count(10, 'Links from the start at most, whatever a crawl asks for.'),
    maxLinksPerPage: count(1_000, 'Links of one page that are looked at.'),
    maxNewUrlsPerSecond: count(100, 'New addresses a second from one host.'),
    maxPerHost: count(100_000, 'Addresses of one host in a crawl.'),
    maxQueryVariants: count(200, 'Addresses in a crawl that differ in their query alone.'),
    maxDates: count(40, 'Addresses in a crawl that differ in a date alone.'),
    maxNearDuplicates: count(20, 'Pages of one shape that are nearly the same before the shape is given up.'),
    minIntervalS: count(3_600, 'Shortest time between two visits of a page.'),
    maxIntervalS: count(30 * 86_400, 'Longest time between two visits of a page.'),
    autothrottle: flag(false, 'Keep the time between requests near what a site takes to answer.'),
  }),
  worker: group('What a worker does at once', {
    inFlight: count(320, 'Pages it holds: waiting for their turn, being fetched, parsed or stored.'),
    concurrency: count(32, 'Requests it has open.'),
    domainConcurrency: count(8, 'Requests it has open to one domain.'),
    parseThreads: count(0, 'Threads that read pages; 0: one fewer than the machine has cores.'),
    leaseS: count(120, 'How long a page is held without a heartbeat.'),
    heartbeatS: count(30, 'Time between heartbeats.'),
    pollMs: count(1_000, 'How often it looks for work without being called.'),
    parseTimeoutMs: count(20_000, 'Longest time for reading a page.'),
    parseMemoryMb: count(256, 'Memory of a thread that reads pages.'),
    windowMs: count(2_000, "Longest time it holds a domain's turn for itself."),
  }),
  proxy: group('Proxies that fail', {
    domainFailures: count(5, 'Failures in a row after which a proxy is off for a domain.'),
    failures: count(10, 'Failures in a row after which a proxy is off for all.'),
    checkEveryS: count(60, 'Time between health checks.'),
    checkUrl: text(
      'What the health check fetches through a proxy; absent: it only looks whether the proxy takes connections.',
    ),
  }),
  live: group('Streams and sockets', {
    heartbeatMs: count(15_000, 'How often each gets a heartbeat and its caller is checked again.'),
    maxBufferBytes: count(1_048_576, 'How much a slow one may leave unread.'),
  }),
  webhooks: group('Webhooks', {
    disableAfterD: count(5, 'Days without one delivered message after which a webhook is turned off; 0: never.'),
  }),
  discover: group('Looking for the addresses of a site', {
    commonCrawlUrl: word('https://index.commoncrawl.org', 'Index of Common Crawl.'),
    maxUrls: count(50_000, 'Addresses of one discovery at most.'),
  }),
  products: group('Products', {
    images: flag(false, 'Fetch the pictures of products too, type and measure them, and keep each once.'),
    maxImageBytes: count(10_000_000, 'Largest picture.'),
  }),

  chunk: group('How documents are cut into passages', {
    strategy: choice(['markdown', 'sentence', 'sliding_window'], 'markdown', 'Where they are cut'),
    size: count(512, 'Tokens of a passage at most.'),
    overlap: count(50, 'Tokens that neighbours share.'),
    min: count(50, 'Tokens of a passage at least.'),
  }),
  embedder: group('The model that comes along, or another in ONNX', {
    path: text(
      'A folder with model.onnx (or model_quantized.onnx) and tokenizer.json; absent: the model that comes along.',
    ),
    pooling: choice(['mean', 'cls'], 'mean', 'How vectors of tokens become one'),
    queryPrefix: word('', 'Put before each query.'),
    documentPrefix: word('', 'Put before each passage.'),
    maxTokens: count(512, 'Tokens it reads at once.'),
    threads: count(0, 'Threads it computes with; 0: as it sees fit.'),
    batchSize: count(8, 'Passages at once.'),
    yields: flag(true, 'Whether embedding documents waits while the cores are wanted for something else.'),
  }),
  reranker: group('A model that orders the best hits again', {
    path: text('A folder with a cross-encoder in ONNX and its tokenizer.json.'),
    url: text('Or a server with the API of Cohere or Jina.'),
    apiKey: secret('Sent with each request.'),
    model: text('Name of the model on that server.'),
    topN: count(20, 'Hits it reads.'),
  }),
  fulltext: group('Keyword search', {
    driver: choice(['lancedb', 'postgres'], 'lancedb', 'Which index is used without Elasticsearch'),
  }),
  search: group('Search', {
    memoryRows: count(
      200_000,
      'Indexes of up to so many chunks are searched in memory, which takes about 1.5 MB per 1,000; 0: never.',
    ),
  }),

  media: group('Screenshots, prints and script results', {
    cacheS: count(3_600, 'How old a capture may be to answer the same request again; 0: every request makes one.'),
    linkS: count(3_600, 'How long the link to a capture or a picture is good.'),
  }),
  alerts: group('When somebody is told', {
    workerSilentS: count(120, 'A process that was not heard of for so long raises an alert.'),
  }),

  features: group('What is turned on, and its limits', {
    enableReranker: flag(true, 'Searches may ask for reranking.'),
    enableDeepCrawl: flag(true, 'Crawls may follow links.'),
    enableWebhooks: flag(true, 'Webhooks are sent.'),
    enableUrlDiscovery: flag(true, 'Sites may be searched for addresses.'),
    maxConcurrentDeepCrawls: count(5, 'Walks through sites that may be open at once; 0: any number.'),
    maxPagesPerDeepCrawl: count(1_000, 'Pages a crawl that follows links may ask for; 0: any number.'),
  }),
  retention: group('Days until things are removed', {
    failedTasksD: count(30, 'Tasks that failed.'),
    jobsD: amount(30, 'Background jobs that are done, with their results.'),
    deletedDocumentsD: count(30, 'Documents that were deleted.'),
    statsD: count(7, 'Figures per minute.'),
    statsHoursD: count(90, 'Figures per hour; those per day stay.'),
    capturesD: count(7, 'Screenshots, prints and script results.'),
    alertsD: count(90, 'Alerts that are over.'),
    eventsD: count(30, 'Events.'),
    auditD: count(365, 'Entries of the audit trail, which are events too.'),
  }),
});

export type Settings = z.infer<typeof Settings>;
