import { z } from 'zod';
import { CONNECTION_FIELD, isFieldName, isFieldValue } from '../web/header-fields.ts';

const MAX_FIELDS = 50;
const MAX_CHARACTERS = 16_384;

/** Header fields a caller may give; those in `reserved` are made by us. What HTTP forbids is refused here. */
export const headerFields = (reserved: RegExp) =>
  z
    .record(
      z
        .string()
        .refine(isFieldName, 'a header name: letters, digits and hyphens')
        .refine((name) => !CONNECTION_FIELD.test(name), 'this header belongs to the connection')
        .refine((name) => !reserved.test(name), 'this header is set by crawl4r'),
      z.string().max(8_192).refine(isFieldValue, 'printable ASCII: no line breaks, no letters with accents'),
    )
    .refine((headers) => Object.keys(headers).length <= MAX_FIELDS, `at most ${MAX_FIELDS} headers`)
    .refine(
      (headers) => Object.entries(headers).flat().join('').length <= MAX_CHARACTERS,
      `at most ${MAX_CHARACTERS} characters in all`,
    )
    .refine(
      (headers) => new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
      'each header once, whatever its case',
    );
