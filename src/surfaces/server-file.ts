import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How commands of the same data folder find the server that runs for it. Only its owner may read the key. */
const ServerFile = z.object({ origin: z.url(), pid: z.number().int(), key: z.string() });
export type ServerFile = z.output<typeof ServerFile>;

const pathOf = (dataDir: string) => join(dataDir, 'server.json');

export function writeServerFile(dataDir: string, content: ServerFile): void {
  const draft = `${pathOf(dataDir)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, pathOf(dataDir));
}

/** Undefined when there is none, or none that can be read. Whether the server still answers is another question. */
export function readServerFile(dataDir: string): ServerFile | undefined {
  try {
    return ServerFile.parse(JSON.parse(readFileSync(pathOf(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Takes the file away, unless another server has written its own since. */
export function removeServerFile(dataDir: string): void {
  if (readServerFile(dataDir)?.pid === process.pid) rmSync(pathOf(dataDir), { force: true });
}
