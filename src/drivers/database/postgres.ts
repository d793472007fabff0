import pg from 'pg';
import { AppError } from '../../errors.ts';
import type { Database, Transaction } from '../../ports/database.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { mapError } from './postgres-errors.ts';
import { createListener } from './postgres-listener.ts';
import { nameStatement, plainStatement } from './postgres-statements.ts';
import { typeParsers } from './postgres-types.ts';
import { retryConflicts } from './retry-conflicts.ts';

export interface PostgresOptions {
  url: string;
  poolSize?: number;
  /** False where a pooler stands between: it gives each statement another connection, which knows no names. */
  preparedStatements?: boolean;
  /** How long a start waits for a server that is not there yet. */
  waitMs?: number;
  /** Called when the server does not answer, before one more try. */
  revive?: () => Promise<void>;
  /** Called last when the database is disposed of. */
  onDispose?: () => Promise<void>;
}

const OLDEST_MAJOR = 15;

/** Any PostgreSQL server, 15 or newer, by its URL. */
export async function createPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { poolSize = 10, preparedStatements = true, waitMs = 15_000, onDispose } = options;
  const run = runner(preparedStatements);
  // Other programs name their own client in the scheme: postgresql+asyncpg://…
  const url = options.url.replace(/^postgres(ql)?\+\w+:/, 'postgresql:');
  const pool = new pg.Pool({
    ...clientConfig(url),
    Client: TimedClient,
    max: Math.max(1, poolSize),
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that breaks is replaced at its next use.
  pool.on('error', () => {});
  const revive = options.revive === undefined ? undefined : singleFlight(options.revive);
  const connect = () => openConnection(() => pool.connect(), revive);
  const listener = createListener(() =>
    openConnection(async () => {
      const client = new TimedClient(clientConfig(url));
      await client.connect();
      return client;
    }, revive),
  );
  async function query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    const client = await connect();
    let failure: unknown;
    try {
      return await run<Row>(client, text, values);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(breaksConnection(failure));
    }
  }
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await connect();
    let broken = false;
    try {
      await run(client, 'BEGIN');
      const result = await work({ query: (text, values) => run(client, text, values) });
      await run(client, 'COMMIT');
      return result;
    } catch (error) {
      // A rollback that fails leaves the connection in an unknown state: it is closed, which rolls back as well.
      broken =
        breaksConnection(error) ||
        !(await run(client, 'ROLLBACK').then(
          () => true,
          () => false,
        ));
      throw error;
    } finally {
      client.release(broken);
    }
  }
  const bare: Bare<Database> = {
    url,
    query: (text, values) => retryConflicts(() => query(text, values)),
    transaction: (work) => retryConflicts(() => transaction(work)),
    listen: (channel, onNotice) => listener.listen(channel, onNotice),
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await pool.end();
      await onDispose?.();
    },
  };
  const database = asEngine('postgres', bare, async () => {
    const [row] = await bare.query<{ version: string; bytes: number }>(
      `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::int8 AS bytes`,
    );
    return { version: row!.version, detail: `${Math.round(row!.bytes / 1e6)} MB` };
  });
  try {
    await waitForServer(database, waitMs);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return database;
}

/** Creates a database on a server unless it is there. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new TimedClient(clientConfig(serverUrl));
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const mapped = mapError(error);
    // Two processes may create it at once; the second finds it made.
    if (mapped.details?.sqlstate !== '42P04' && mapped.details?.sqlstate !== '23505') throw mapped;
  } finally {
    await client.end();
  }
}

/** Waiting for a free connection has no limit, opening a new one does: a busy pool is not a dead server. */
class TimedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super({ ...(typeof config === 'string' ? { connectionString: config } : config), connectionTimeoutMillis: 10_000 });
    // A connection may break while no answer is awaited. Its next statement says so; unheard, this event would
    // end the process.
    this.on('error', () => {});
  }
}

const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  types: typeParsers,
  keepAlive: true,
  application_name: 'crawl4r',
});

type Run = <Row extends object>(client: pg.ClientBase, text: string, values?: readonly unknown[]) => Promise<Row[]>;

function runner(prepared: boolean): Run {
  const toStatement = prepared ? nameStatement : plainStatement;
  return async <Row extends object>(client: pg.ClientBase, text: string, values?: readonly unknown[]) => {
    try {
      return (await client.query<Row>(toStatement(text, values))).rows;
    } catch (error) {
      throw mapError(error);
    }
  };
}

async function openConnection<Client>(open: () => Promise<Client>, revive?: () => Promise<void>): Promise<Client> {
  try {
    return await open();
  } catch (error) {
    const mapped = mapError(error);
    if (mapped.code !== 'DATABASE_DOWN' || revive === undefined) throw mapped;
    await revive();
    return await open().catch((again: unknown) => {
      throw mapError(again);
    });
  }
}

/** After a change of the schema a prepared statement may no longer fit; a new connection prepares it afresh. */
const breaksConnection = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'DATABASE_DOWN' || error.details?.sqlstate === '0A000');

function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => (running = undefined));
    return running;
  };
}

async function waitForServer(database: Database, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      const [row] = await database.query<{ number: number }>(
        `SELECT current_setting('server_version_num')::int AS number`,
      );
      const major = Math.floor(row!.number / 10_000);
      if (major >= OLDEST_MAJOR) return;
      throw new AppError('CONFIG_INVALID', `the database is PostgreSQL ${major}; ${OLDEST_MAJOR} or newer is needed`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DATABASE_DOWN' || performance.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}
