import { z } from 'zod';
import type { App } from '../../app.ts';
import { executeScripts as execute } from '../../pipeline/fetch/capture.ts';
import { CapturedPage, CaptureFields, visitForCapture } from './capture.ts';

export const ExecuteScriptsInput = z
  .strictObject({
    ...CaptureFields,
    scripts: z.array(z.string().min(1).max(100_000)).min(1).max(20).describe('Run in the page, one after the other.'),
    include_html: z.boolean().default(false).describe('Also answer with the document as it stands afterwards.'),
  })
  .meta({ id: 'ExecuteScriptsInput' });

export const ExecutedScripts = CapturedPage.extend({
  results: z.array(z.object({ value: z.unknown(), error: z.string().nullable() })).describe('One for each script.'),
  html: z.string().optional(),
}).meta({ id: 'ExecutedScripts' });

export async function executeScripts(
  app: App,
  input: z.output<typeof ExecuteScriptsInput>,
  signal?: AbortSignal,
): Promise<z.output<typeof ExecutedScripts>> {
  const { html, ...outcome } = await visitForCapture(app, input, signal, (request) =>
    execute(app.browser, { ...request, scripts: input.scripts }),
  );
  return input.include_html ? { ...outcome, html } : outcome;
}
