import { isIP } from 'node:net';
import { z } from 'zod';

/** The kinds of settings. Each says what it is about: that is its comment in .env.example. */

export const count = (fallback: number, about: string) =>
  z.coerce.number().int().min(0).default(fallback).describe(about);

export const amount = (fallback: number, about: string) => z.coerce.number().min(0).default(fallback).describe(about);

export const flag = (fallback: boolean, about: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0', 'yes', 'no'])])
    .transform((value) => value === true || value === 'true' || value === '1' || value === 'yes')
    .default(fallback)
    .describe(about);

export const choice = <const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  fallback: Choices[number],
  about: string,
) =>
  z
    .enum(choices)
    .default(fallback)
    .describe(`${about}: ${choices.join(', ')}.`);

/** Separated by commas; `fits` and what it takes in words check each entry at the start. */
export const list = (fallback: string[], about: string, fits: (entry: string) => boolean = () => true, takes = '') =>
  z
    .union([z.array(z.string()), z.string()])
    .transform((value) =>
      (Array.isArray(value) ? value : value.split(',')).map((entry) => entry.trim()).filter((entry) => entry !== ''),
    )
    .refine((entries) => entries.every(fits), `each entry is ${takes}`)
    .default(fallback)
    .describe(about);

export const isCount = (entry: string) => entry !== '' && Number.isFinite(Number(entry)) && Number(entry) >= 0;

/** An address, or a range in CIDR notation. */
export const isRange = (entry: string) => {
  const [address = '', bits, ...rest] = entry.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
};

export const word = (fallback: string, about: string) => z.string().default(fallback).describe(about);

/** Absent unless it is set. */
export const text = (about: string) => z.string().trim().min(1).optional().describe(about);

/** An address with TLS; without it only on this machine. */
export const issuer = (about: string) =>
  z
    .string()
    .trim()
    .refine((value) => {
      const url = URL.parse(value);
      const loopback = url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
      return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback);
    }, 'takes an address such as https://login.example.com; http:// only on loopback')
    .optional()
    .describe(about);

/** As text, and never printed. */
export const secret = (about: string) => text(about).meta({ secret: true });

export const group = <Shape extends z.ZodRawShape>(about: string, shape: Shape) =>
  z
    .object(shape)
    .prefault({} as never)
    .describe(about);
