import { z } from 'zod';
import type { App } from '../../app.ts';
import { printPdf } from '../../pipeline/fetch/capture.ts';
import { CapturedPage, CaptureFields, visitForCapture } from './capture.ts';

export const PdfInput = z
  .strictObject({
    ...CaptureFields,
    format: z.enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid']).default('A4'),
    landscape: z.boolean().default(false),
  })
  .meta({ id: 'PdfInput' });

export const Pdf = CapturedPage.extend({
  content_type: z.literal('application/pdf'),
  size: z.number().int().describe('Bytes.'),
  data: z.base64().describe('The document.'),
}).meta({ id: 'Pdf' });

export async function capturePdf(
  app: App,
  input: z.output<typeof PdfInput>,
  signal?: AbortSignal,
): Promise<z.output<typeof Pdf>> {
  const { format, landscape } = input;
  const { pdf, ...page } = await visitForCapture(app, input, signal, (request) =>
    printPdf(app.browser, { ...request, format, landscape }),
  );
  return { ...page, content_type: 'application/pdf', size: pdf.length, data: Buffer.from(pdf).toString('base64') };
}
