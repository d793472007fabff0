import { capturePdf, Pdf, PdfInput } from '../../../operations/media/capture-pdf.ts';
import { captureScreenshot, Screenshot, ScreenshotInput } from '../../../operations/media/capture-screenshot.ts';
import { ExecutedScripts, ExecuteScriptsInput, executeScripts } from '../../../operations/media/execute-scripts.ts';
import { VISITS_SITE } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'media';

export const mediaRoutes = [
  route({
    method: 'POST',
    path: '/screenshot',
    id: 'captureScreenshot',
    summary: 'Take a picture of a page',
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0 } },
    body: ScreenshotInput,
    response: Screenshot,
    handler: ({ app, body, gone }) => captureScreenshot(app, body, gone()),
  }),
  route({
    method: 'POST',
    path: '/pdf',
    id: 'capturePdf',
    summary: 'Print a page',
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0 } },
    body: PdfInput,
    response: Pdf,
    handler: ({ app, body, gone }) => capturePdf(app, body, gone()),
  }),
  route({
    method: 'POST',
    path: '/execute-js',
    id: 'executeScripts',
    summary: 'Run scripts in a page',
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0, scripts: ['document.title'] } },
    body: ExecuteScriptsInput,
    response: ExecutedScripts,
    handler: ({ app, body, gone }) => executeScripts(app, body, gone()),
  }),
];
