import { createHash } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { ReceivedFile } from '../../operations/documents/upload-files.ts';
import { findUnstorable } from '../../text/storable.ts';
import { parseInput } from './parse-input.ts';

export interface FormSpec {
  fields: z.ZodType;
  /** Fields whose text is JSON. */
  json: readonly string[];
  /** Fields that hold several values. */
  lists: readonly string[];
  maxFiles: number;
}

export interface Form {
  body: unknown;
  files: ReceivedFile[];
  /** The same for the same request: an Idempotency-Key is bound to it. */
  fingerprint: unknown;
}

const MB = 1024 * 1024;
const MAX_FIELDS = 32;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME = 255;

/** What the parser of multipart bodies finds wrong, in our words. */
const PROBLEMS: Record<string, string> = {
  FST_FILES_LIMIT: 'more files than this route takes',
  FST_FIELDS_LIMIT: `more than ${MAX_FIELDS} fields`,
  FST_PARTS_LIMIT: 'more parts than this route takes',
  FST_PROTO_VIOLATION: 'a field has a name that is not allowed',
  FST_INVALID_JSON_FIELD_ERROR: 'a field that says it is JSON is not',
};

/**
 * Reads a multipart body: files go to the blobs a piece at a time, as they come; fields are kept, few and short. A file that
 * is too large is a problem of that file alone; a body that is too large or not well formed refuses the request.
 */
export async function readForm(app: App, request: FastifyRequest, spec: FormSpec): Promise<Form> {
  const { maxUploadMb, maxFileMb } = app.settings.http;
  const values = new Map<string, string[]>();
  const files: (ReceivedFile & { hash: string })[] = [];
  const total = watchTotal(request, maxUploadMb * MB);
  try {
    total.check();
    for await (const part of request.parts({ limits: limitsOf(spec, maxFileMb * MB) })) {
      total.check();
      if (part.type === 'file') files.push(await keepFile(app, part, maxFileMb, total.check));
      else if (part.fieldname === undefined || part.valueTruncated)
        throw malformed(`a field is larger than ${MAX_FIELD_BYTES} bytes, or has no name`);
      else values.set(part.fieldname, [...(values.get(part.fieldname) ?? []), textOf(part.value)]);
    }
    total.check();
  } catch (error) {
    // The rest is read and dropped, so that the caller gets to read the answer; the time limit of requests ends it.
    request.raw.unpipe();
    request.raw.resume();
    throw toProblem(error);
  }
  const body = toBody(values, spec);
  return {
    body: parseInput(spec.fields, body, 'body'),
    files: files.map(({ hash: _, ...file }) => file),
    fingerprint: { body, files: files.map(({ name, contentType, hash }) => ({ name, contentType, hash })) },
  };
}

function watchTotal(request: FastifyRequest, most: number): { check(): void } {
  let bytes = Number(request.headers['content-length'] ?? 0);
  if (bytes <= most) {
    bytes = 0;
    request.raw.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
  }
  return {
    check() {
      if (bytes > most)
        throw new AppError('BODY_TOO_LARGE', `the upload is larger than ${most / MB} MB`, {
          hint: 'Send fewer files at once, or raise HTTP__MAX_UPLOAD_MB.',
        });
    },
  };
}

const limitsOf = (spec: FormSpec, maxFile: number) => ({
  parts: spec.maxFiles + MAX_FIELDS,
  files: spec.maxFiles,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_BYTES,
  // One more than a file may have: the byte that shows that it is too large.
  fileSize: maxFile + 1,
  headerPairs: 32,
  headerSize: 8 * 1024,
});

async function keepFile(
  app: App,
  part: MultipartFile,
  maxFileMb: number,
  check: () => void,
): Promise<ReceivedFile & { hash: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const tooLarge = new AppError('BODY_TOO_LARGE', `the file is larger than ${maxFileMb} MB`, {
    hint: 'Split it, or raise HTTP__MAX_FILE_MB.',
  });
  async function* pieces() {
    for await (const piece of part.file as AsyncIterable<Buffer>) {
      check();
      size += piece.length;
      if (size > maxFileMb * MB) continue;
      hash.update(piece);
      yield piece;
    }
    // At the end, not earlier: the parts behind this one are read only after it.
    if (size > maxFileMb * MB) throw tooLarge;
  }
  const file = { ...nameOf(part.filename), contentType: part.mimetype };
  const kept = await app.blobs.write(pieces()).catch((error: unknown) => {
    if (error !== tooLarge) throw error;
    return { reference: '', problem: tooLarge };
  });
  return { ...kept, ...file, size, hash: hash.digest('hex') };
}

/** The name without folders, which the parser has cut off. A name that cannot be stored is a problem of its file. */
function nameOf(given: string | undefined): Pick<ReceivedFile, 'name' | 'problem'> {
  const name = (given ?? '').trim().slice(0, MAX_NAME);
  if (name === '') return {};
  const unstorable = findUnstorable(name);
  if (unstorable === undefined) return { name };
  return {
    name: name.toWellFormed().replaceAll('\0', '\ufffd'),
    problem: new AppError('VALIDATION_FAILED', `the file name ${unstorable.problem}`, {
      details: { 'body.file': unstorable.problem },
    }),
  };
}

/** Fields in the shape of a JSON body. An empty field is one that was left out, as forms of browsers send them. */
function toBody(values: ReadonlyMap<string, string[]>, { json, lists }: FormSpec): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, all] of values) {
    const given = all.filter((text) => text !== '');
    if (given.length === 0) continue;
    if (lists.includes(name))
      body[name] = given.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '');
    else if (given.length > 1) throw malformed(`the field ${name.slice(0, 100)} is there more than once`);
    else body[name] = json.includes(name) ? parseJson(name, given[0]!) : given[0];
  }
  return body;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', `the field ${name} is not valid JSON`, {
      cause,
      details: { [`body.${name}`]: 'takes JSON' },
    });
  }
}

/** A field that was sent as JSON comes parsed. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const malformed = (problem: string) =>
  new AppError('VALIDATION_FAILED', `the upload does not fit: ${problem}`, { details: { body: problem } });

function toProblem(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = PROBLEMS[(error as { code?: string }).code ?? ''];
  return new AppError('VALIDATION_FAILED', `the upload does not fit: ${known ?? 'it is not well-formed multipart'}`, {
    cause: error,
    details: { body: known ?? 'takes multipart/form-data that ends with its boundary' },
  });
}
