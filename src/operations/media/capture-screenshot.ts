import { z } from 'zod';
import type { App } from '../../app.ts';
import { captureScreenshot as capture } from '../../pipeline/fetch/capture.ts';
import { CapturedPage, CaptureFields, visitForCapture } from './capture.ts';

export const ScreenshotInput = z
  .strictObject({
    ...CaptureFields,
    full_page: z.boolean().default(true).describe('Down to the end, not only what shows.'),
  })
  .meta({ id: 'ScreenshotInput' });

export const Screenshot = CapturedPage.extend({
  content_type: z.literal('image/png'),
  size: z.number().int().describe('Bytes.'),
  data: z.base64().describe('The picture.'),
}).meta({ id: 'Screenshot' });

export async function captureScreenshot(
  app: App,
  input: z.output<typeof ScreenshotInput>,
  signal?: AbortSignal,
): Promise<z.output<typeof Screenshot>> {
  const { png, ...page } = await visitForCapture(app, input, signal, (request) =>
    capture(app.browser, { ...request, fullPage: input.full_page }),
  );
  return { ...page, content_type: 'image/png', size: png.length, data: Buffer.from(png).toString('base64') };
}
