import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  out: string;
  talk: string;
}

export interface Program {
  child: ChildProcess;
  /** What it has said on stderr so far. */
  talk(): string;
  ended: Promise<Ended>;
}

/** Starts bin/crawl4r as a user would, without a terminal. */
export function startProgram(args: readonly string[], env: Record<string, string> = {}): Program {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(join(root, 'bin/crawl4r'), args, {
    cwd: root,
    env: { ...inherited, EMBEDDER__YIELDS: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, talk] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (talk += text));
  const ended = new Promise<Ended>((done) => child.on('close', (code) => done({ code, out, talk })));
  return { child, talk: () => talk, ended };
}

/** Runs a command to its end. */
export const runProgram = (args: readonly string[], env: Record<string, string> = {}) => startProgram(args, env).ended;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

export interface Instance extends Program {
  origin: string;
  /** From the box; the first start alone shows it. */
  key: string;
  loginLink: string;
  demo: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** `crawl4r up --demo`, ready as soon as it has printed its box. */
export async function startInstance(dataDir: string, knownKey = ''): Promise<Instance> {
  const program = startProgram(['up', '--demo'], { DATA_DIR: dataDir, PORT: String(await freePort()) });
  await until(() => program.talk().includes('╰') || program.child.exitCode !== null, 60_000);
  const box = (name: string) => new RegExp(`│ ${name} +(\\S.*?) *│`).exec(program.talk())?.[1] ?? '';
  const loginLink = box('Dashboard');
  if (loginLink === '') throw new Error(`it did not start: ${program.talk()}`);
  const { origin } = new URL(loginLink);
  const key = knownKey || box('API key');
  return { ...program, origin, key, loginLink, demo: box('Demo site'), call: createCaller(origin, key) };
}

/** `body` may be a string that is no JSON. */
export function createCaller(origin: string, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

/** Ends a program and all it started, database server included, as a power cut would. */
export function killTree(pid: number): void {
  for (const each of familyOf(pid).reverse()) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
  } catch {
    return [];
  }
}

export async function until(holds: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${holds}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
