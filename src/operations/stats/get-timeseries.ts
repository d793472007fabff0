import { z } from 'zod';
import type { App } from '../../app.ts';
import { type Resolution, sumFigures } from '../../db/stats/stats.ts';
import { AppError } from '../../errors.ts';
import { toDomainFilter } from '../domains/domain.ts';
import { Moment, Time } from '../schemas.ts';
import { EVENT_METRICS } from './event-figures.ts';

/** Figures that come from pages; the only ones that are kept per domain as well. */
const PAGE_METRICS = [
  'responses_2xx',
  'responses_3xx',
  'responses_4xx',
  'responses_5xx',
  'responses_none',
  'bytes',
] as const;
const Metric = z.enum([...EVENT_METRICS, ...PAGE_METRICS]);

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const MAX_POINTS = 2_000;
/** When no step is given: the first of these that makes no more points than that. */
const USUAL_STEPS = [60, 300, 900, 3_600, 21_600, 86_400, 7 * 86_400, 30 * 86_400];
const USUAL_POINTS = 400;

const Step = z
  .string()
  .regex(/^\d{1,8}[smhd]?$/, 'takes a time such as 60, 5m, 1h or 1d')
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.at(-1)!] ?? 1))
  .refine(
    (seconds) => seconds >= 60 && seconds % 60 === 0 && seconds <= 366 * 86_400,
    'takes whole minutes, up to a year',
  );

export const TimeseriesInput = z.strictObject({
  metric: Metric.describe('Figures of pages (responses, bytes) may be asked for by domain.'),
  from: Moment.optional().describe('Absent: a day before `to`.'),
  to: Moment.optional().describe('Absent: now.'),
  step: Step.optional().describe('Such as 1m, 15m, 1h, 1d. Absent: what suits the time asked for.'),
  domain: z.string().trim().toLowerCase().min(1).max(260).optional().describe('One of the busiest 20 of a minute.'),
});

export const Timeseries = z
  .object({
    metric: Metric,
    domain: z.string().nullable(),
    step: z.number().int().describe('Seconds.'),
    from: Time,
    to: Time,
    points: z
      .array(z.tuple([Time, z.number()]))
      .describe('The start of each step (steps begin at multiples of their length since 1970, UTC) and the sum in it.'),
  })
  .meta({ id: 'Timeseries' });

/** One figure over time, without gaps: a step in which nothing happened is 0. */
export async function getTimeseries(
  app: App,
  input: z.output<typeof TimeseriesInput>,
): Promise<z.output<typeof Timeseries>> {
  const { metric } = input;
  const domain = input.domain === undefined ? '' : toDomainFilter(input.domain);
  if (domain !== '' && !(PAGE_METRICS as readonly string[]).includes(metric))
    throw invalid('query.domain', `${metric} is not kept by domain`, `These are: ${PAGE_METRICS.join(', ')}.`);
  const to = input.to ?? new Date();
  const from = input.from ?? new Date(Math.max(0, to.getTime() - UNITS.d! * 1_000));
  if (from >= to) throw invalid('query.from', 'from has to be before to', 'Leave out to for a time up to now.');
  const stepS = input.step ?? chooseStep((to.getTime() - from.getTime()) / 1_000);
  const first = Math.floor(from.getTime() / 1_000 / stepS);
  const count = Math.ceil(to.getTime() / 1_000 / stepS) - first;
  if (count > MAX_POINTS)
    throw invalid('query.step', `${count} points are more than ${MAX_POINTS}`, 'Take a longer step or a shorter time.');
  const timeOf = (slot: number) => new Date(slot * stepS * 1_000);
  const resolution = chooseResolution(app, stepS, timeOf(first));
  const range = { from: timeOf(first), to: timeOf(first + count) };
  const rows = await sumFigures(app.database, { metric, domain, resolution, ...range, stepS });
  const values = new Map(rows.map(({ slot, value }) => [slot, value]));
  const points = Array.from({ length: count }, (_, at): [Date, number] => [
    timeOf(first + at),
    values.get(first + at) ?? 0,
  ]);
  return { metric, domain: domain === '' ? null : domain, step: stepS, ...range, points };
}

const chooseStep = (seconds: number) =>
  USUAL_STEPS.find((step) => seconds / step <= USUAL_POINTS) ?? USUAL_STEPS.at(-1)!;

/** The coarsest figures that fit the step. Where they are deleted already, zeros would be a lie. */
function chooseResolution({ settings }: App, stepS: number, from: Date): Resolution {
  const resolution = stepS % UNITS.d! === 0 ? 'day' : stepS % UNITS.h! === 0 ? 'hour' : 'minute';
  const { statsD, statsHoursD } = settings.retention;
  const days = { minute: statsD, hour: statsHoursD, day: Number.POSITIVE_INFINITY }[resolution];
  // Half a day more than retention, which counts from now: the start of a step lies before the time asked for.
  if (from.getTime() < Date.now() - (days + 0.5) * UNITS.d! * 1_000)
    throw invalid(
      'query.step',
      `figures per ${resolution} are kept for ${days} days`,
      `Take a step of whole ${resolution === 'minute' ? 'hours' : 'days'}, or a later from.`,
    );
  return resolution;
}

const invalid = (field: string, problem: string, hint: string) =>
  new AppError('VALIDATION_FAILED', problem, { details: { [field]: problem }, hint });
