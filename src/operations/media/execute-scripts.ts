import { z } from 'zod';
import type { App } from '../../app.ts';
import { executeScripts as execute } from '../../pipeline/fetch/capture.ts';
import { type CaptureCaller, CapturedPage, CaptureFields, describeCapture } from './capture.ts';
import { takeCapture } from './take-capture.ts';

export const ExecuteScriptsInput = z
  .strictObject({
    ...CaptureFields,
    scripts: z.array(z.string().min(1).max(100_000)).min(1).max(20).describe('Run in the page, one after the other.'),
    include_html: z.boolean().default(false).describe('Also answer with the document as it stands afterwards.'),
  })
  .meta({ id: 'ExecuteScriptsInput' });

const Stored = z.object({
  results: z.array(z.object({ value: z.unknown(), error: z.string().nullable() })).describe('One for each script.'),
  html: z.string().optional(),
});

export const ExecutedScripts = CapturedPage.extend(Stored.shape).meta({ id: 'ExecutedScripts' });

/** The answer is stored as JSON, for its own caller only: no other caller gets what these scripts returned. */
export async function executeScripts(
  app: App,
  input: z.output<typeof ExecuteScriptsInput>,
  caller: CaptureCaller = {},
): Promise<z.output<typeof ExecutedScripts>> {
  const { scripts, include_html } = input;
  const made = await takeCapture(
    app,
    {
      kind: 'scripts',
      input,
      options: { scripts, include_html },
      private: true,
      contentType: 'application/json',
      make: async (request) => {
        const { results, html, ...page } = await execute(app.browser, { ...request, scripts });
        return { page, bytes: Buffer.from(JSON.stringify(include_html ? { results, html } : { results })) };
      },
    },
    caller,
  );
  const stored = Stored.parse(JSON.parse(Buffer.from(made.bytes).toString('utf8')));
  return { ...(await describeCapture(app, made)), ...stored };
}
