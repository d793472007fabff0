import { run } from 'node:test';

export interface Failure {
  name: string;
  message: string;
}

export interface FileResult {
  file: string;
  ms: number;
  passed: number;
  skipped: { name: string; reason: string }[];
  failed: Failure[];
  /** What the file printed; shown only when something failed. */
  output: string;
}

const TEST_MS = 120_000;
const FILE_MS = 300_000;

interface TestEvent {
  type: string;
  data: {
    name: string;
    nesting: number;
    message?: string;
    skip?: string | boolean;
    todo?: string | boolean;
    details?: { type?: string; error?: Error & { failureType?: string; cause?: unknown } };
  };
}

/** Runs one file in a process of its own and counts its leaf tests: a test or suite with tests inside is a heading. */
export async function runTestFile(file: string, signal: AbortSignal): Promise<FileResult> {
  const started = performance.now();
  const result: FileResult = { file, ms: 0, passed: 0, skipped: [], failed: [], output: '' };
  const events = run({
    files: [file],
    concurrency: 1,
    signal: AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)]),
    execArgv: [`--test-timeout=${TEST_MS}`, '--disable-warning=ExperimentalWarning'],
  }) as AsyncIterable<TestEvent>;
  let deepest = -1;
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') result.output += data.message;
    if (type === 'test:diagnostic' && /\b(Error|Warning):/.test(data.message ?? ''))
      result.output += `${data.message}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isHeading = deepest > data.nesting || data.details?.type === 'suite';
    deepest = data.nesting;
    record(result, type === 'test:pass', isHeading, data);
  }
  result.ms = performance.now() - started;
  return result;
}

function record(result: FileResult, passed: boolean, isHeading: boolean, data: TestEvent['data']): void {
  const error = data.details?.error;
  const isFile = data.name === result.file;
  if (passed && data.skip !== undefined) {
    const reason = typeof data.skip === 'string' ? data.skip : 'no reason given';
    result.skipped.push({ name: data.name, reason });
  } else if (passed && isFile) {
    result.failed.push({ name: 'the file', message: 'it holds no tests' });
  } else if (passed) {
    if (!isHeading) result.passed++;
  } else if (error?.failureType !== 'subtestsFailed') {
    result.failed.push({ name: isFile ? 'the file' : data.name, message: describe(error) });
  }
}

function describe(error: (Error & { cause?: unknown; exitCode?: number; signal?: string }) | undefined): string {
  const cause = error?.cause;
  if (error?.exitCode !== undefined || error?.signal != null)
    return `its process ended with ${error.signal ?? `code ${error.exitCode}`}`;
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === 'string' ? cause : (error?.message ?? 'it failed');
}
