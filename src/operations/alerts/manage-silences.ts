import { z } from 'zod';
import type { App } from '../../app.ts';
import { deleteSilenceRow, insertSilence, listSilenceRows, SILENCE_SORTS } from '../../db/alerts/silences.ts';
import { newId } from '../../ids.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id, Time } from '../schemas.ts';

const ANY = 'Absent: any.';

export const CreateSilenceInput = z
  .strictObject({
    kind: z.string().trim().min(1).max(100).optional().describe(`The name of the rule. ${ANY}`),
    subject: z.string().trim().min(1).max(500).optional().describe(`What the alert is about. ${ANY}`),
    reason: z.string().trim().max(1_000).optional(),
    duration_s: z.number().int().min(60).max(31_536_000).default(3_600).describe('Seconds, from a minute to a year.'),
  })
  .meta({ id: 'CreateSilence' });

export const Silence = z
  .object({
    id: Id,
    kind: z.string().nullable(),
    subject: z.string().nullable(),
    reason: z.string().nullable(),
    created_by: z.string(),
    created_at: Time,
    until: Time,
  })
  .meta({ id: 'Silence' });
type Silence = z.output<typeof Silence>;

/** From now on alerts that fit are not raised, until the time is over. Those that stand are left as they are. */
export function createSilence(app: App, input: z.output<typeof CreateSilenceInput>, by: string): Promise<Silence> {
  const { kind = null, subject = null, reason = null, duration_s } = input;
  return insertSilence(app.database, { id: newId(), kind, subject, reason, created_by: by }, duration_s);
}

export const ListSilencesInput = ListQuery.extend(sortBy(SILENCE_SORTS));

/** Those in force. */
export const listSilences = (app: App, input: z.output<typeof ListSilencesInput>): Promise<ListPage<Silence>> =>
  readList(app.database, listSilenceRows(), SILENCE_SORTS, input, (row) => row);

export async function deleteSilence(app: App, id: string): Promise<void> {
  found(await deleteSilenceRow(app.database, id), 'silence', id);
}
