import { z } from 'zod';
import type { App } from '../../app.ts';
import { printPdf } from '../../pipeline/fetch/capture.ts';
import { type CaptureCaller, CapturedPage, CaptureFields, describeCapture, InlineField } from './capture.ts';
import { takeCapture } from './take-capture.ts';

export const PdfInput = z
  .strictObject({
    ...CaptureFields,
    ...InlineField,
    format: z.enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid']).default('A4'),
    landscape: z.boolean().default(false),
  })
  .meta({ id: 'PdfInput' });

export const Pdf = CapturedPage.extend({
  content_type: z.literal('application/pdf'),
  data: z.base64().optional().describe('The document.'),
}).meta({ id: 'Pdf' });

export async function capturePdf(
  app: App,
  input: z.output<typeof PdfInput>,
  caller: CaptureCaller = {},
): Promise<z.output<typeof Pdf>> {
  const options = { format: input.format, landscape: input.landscape };
  const made = await takeCapture(
    app,
    {
      kind: 'pdf',
      input,
      options,
      private: false,
      contentType: 'application/pdf',
      make: async (request) => {
        const { pdf, ...page } = await printPdf(app.browser, { ...request, ...options });
        return { page, bytes: pdf };
      },
    },
    caller,
  );
  return {
    ...(await describeCapture(app, made)),
    content_type: 'application/pdf',
    ...(input.inline && { data: Buffer.from(made.bytes).toString('base64') }),
  };
}
