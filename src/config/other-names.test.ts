import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeSettings } from './describe.ts';
import { loadSettings } from './load.ts';
import { WITHOUT_EFFECT } from './other-names.ts';

/** The names of the design this program follows, each with a value that fits. */
const NAMES: Record<string, string> = {
  APP_NAME: 'crawl4r',
  APP_ENV: 'development',
  DEBUG: 'false',
  HOST: '0.0.0.0',
  PORT: '53001',
  DATABASE__POSTGRES_URL: 'postgresql://u:p@localhost:5432/crawl4r',
  DATABASE__POOL_SIZE: '10',
  DATABASE__MAX_OVERFLOW: '20',
  REDIS__URL: 'redis://localhost:6379/0',
  REDIS__POOL_SIZE: '10',
  QDRANT__URL: 'http://localhost:6333',
  QDRANT__COLLECTION: 'crawl4r',
  QDRANT__API_KEY: 'key',
  QDRANT__BATCH_SIZE: '100',
  TEI__URL: 'http://localhost:52000',
  TEI__BATCH_SIZE: '32',
  TEI__TIMEOUT_S: '60',
  TEI__EMBEDDING_DIMENSION: '1024',
  TEI__EMBEDDING_MODEL: 'qwen3-0.6b-embedding',
  CRAWL4AI__URL: 'http://localhost:52001',
  CRAWL4AI__TIMEOUT_S: '60',
  CACHE__CRAWL_TTL_S: '86400',
  CACHE__EMBED_TTL_S: '604800',
  CACHE__QUERY_TTL_S: '3600',
  CACHE__QUERY_EMBED_TTL_S: '86400',
  RATE_LIMIT__DEFAULT_RPS: '1.0',
  RATE_LIMIT__API_RPM: '60',
  CIRCUIT_BREAKER__THRESHOLD: '5',
  CIRCUIT_BREAKER__TIMEOUT_S: '300',
  JOB__MAX_RETRIES: '3',
  JOB__RETRY_DELAYS_S: '1,2,4',
  JOB__TIMEOUT_S: '300',
  JOB__RESULT_TTL_S: '86400',
  FEATURES__ENABLE_RERANKER: 'true',
  FEATURES__ENABLE_DEEP_CRAWL: 'true',
  FEATURES__ENABLE_WEBHOOKS: 'true',
  FEATURES__ENABLE_PROXY_ROTATION: 'false',
  FEATURES__ENABLE_URL_DISCOVERY: 'true',
  FEATURES__MAX_CONCURRENT_DEEP_CRAWLS: '5',
  FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '1000',
};

it('every name of the design is a setting, stands for one, or says that it has no effect and why', () => {
  const ours = new Set(describeSettings(loadSettings({})).map(({ name }) => name));
  for (const [name, value] of Object.entries(NAMES)) {
    const { warnings } = loadSettings({ [name]: value });
    if (Object.hasOwn(WITHOUT_EFFECT, name)) assert.match(warnings.join(), new RegExp(`^${name} has no effect: .`));
    else assert.deepEqual(warnings, [], name);
    const known = ours.has(name) || Object.hasOwn(WITHOUT_EFFECT, name);
    assert.ok(known || ['DEBUG', 'JOB__RESULT_TTL_S'].includes(name), name);
  }
});

it('another name sets what it stands for, and our own name wins over it', () => {
  assert.equal(loadSettings({ JOB__RESULT_TTL_S: '43200' }).settings.retention.jobsD, 0.5);
  assert.equal(loadSettings({ JOB__RESULT_TTL_S: '43200', RETENTION__JOBS_D: '3' }).settings.retention.jobsD, 3);
  assert.throws(() => loadSettings({ JOB__RESULT_TTL_S: 'soon' }), { code: 'CONFIG_INVALID' });
  assert.equal(loadSettings({ DEBUG: 'true' }).settings.logLevel, 'debug');
  assert.equal(loadSettings({ LOG_LEVEL: 'error', DEBUG: 'true' }).settings.logLevel, 'error');
  for (const others of ['false', 'express:*']) assert.equal(loadSettings({ DEBUG: others }).settings.logLevel, 'info');
});
