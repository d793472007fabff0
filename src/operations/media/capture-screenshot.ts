import { z } from 'zod';
import type { App } from '../../app.ts';
import { captureScreenshot as capture } from '../../pipeline/fetch/capture.ts';
import { type CaptureCaller, CapturedPage, CaptureFields, describeCapture, InlineField } from './capture.ts';
import { takeCapture } from './take-capture.ts';

export const ScreenshotInput = z
  .strictObject({
    ...CaptureFields,
    ...InlineField,
    full_page: z.boolean().default(true).describe('Down to the end, not only what shows.'),
  })
  .meta({ id: 'ScreenshotInput' });

export const Screenshot = CapturedPage.extend({
  content_type: z.literal('image/png'),
  data: z.base64().optional().describe('The picture.'),
}).meta({ id: 'Screenshot' });

export async function captureScreenshot(
  app: App,
  input: z.output<typeof ScreenshotInput>,
  caller: CaptureCaller = {},
): Promise<z.output<typeof Screenshot>> {
  const made = await takeCapture(
    app,
    {
      kind: 'screenshot',
      input,
      options: { full_page: input.full_page },
      private: false,
      contentType: 'image/png',
      make: async (request) => {
        const { png, ...page } = await capture(app.browser, { ...request, fullPage: input.full_page });
        return { page, bytes: png };
      },
    },
    caller,
  );
  return {
    ...(await describeCapture(app, made)),
    content_type: 'image/png',
    ...(input.inline && { data: Buffer.from(made.bytes).toString('base64') }),
  };
}
