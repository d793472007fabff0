import { capturePdf, Pdf, PdfInput } from '../../../operations/media/capture-pdf.ts';
import { captureScreenshot, Screenshot, ScreenshotInput } from '../../../operations/media/capture-screenshot.ts';
import { ExecutedScripts, ExecuteScriptsInput, executeScripts } from '../../../operations/media/execute-scripts.ts';
import {
  Capture,
  deleteCapture,
  getCapture,
  ListCapturesInput,
  listCaptures,
} from '../../../operations/media/manage-captures.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { VISITS_SITE } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'media';

const STORED =
  'It is stored, and the answer holds a signed link to it. The same request within MEDIA__CACHE_S (an hour) is answered from ' +
  'the store (`cached`), unless it says `fresh`.';

export const mediaRoutes = [
  route({
    method: 'POST',
    path: '/screenshot',
    id: 'captureScreenshot',
    summary: 'Take a picture of a page',
    description: STORED,
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0 } },
    body: ScreenshotInput,
    response: Screenshot,
    handler: ({ app, body, caller, gone }) => captureScreenshot(app, body, { owner: caller.name, signal: gone() }),
  }),
  route({
    method: 'POST',
    path: '/pdf',
    id: 'capturePdf',
    summary: 'Print a page',
    description: STORED,
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0 } },
    body: PdfInput,
    response: Pdf,
    handler: ({ app, body, caller, gone }) => capturePdf(app, body, { owner: caller.name, signal: gone() }),
  }),
  route({
    method: 'POST',
    path: '/execute-js',
    id: 'executeScripts',
    summary: 'Run scripts in a page',
    description: `${STORED} What scripts returned is only given to the caller that sent them.`,
    tag,
    access: 'write',
    bound: 'refused',
    errors: VISITS_SITE,
    example: { body: { url: '{site}/', wait_seconds: 0, scripts: ['document.title'] } },
    body: ExecuteScriptsInput,
    response: ExecutedScripts,
    handler: ({ app, body, caller, gone }) => executeScripts(app, body, { owner: caller.name, signal: gone() }),
  }),
  route({
    method: 'GET',
    path: '/captures',
    id: 'listCaptures',
    summary: 'List stored screenshots, prints and script results',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListCapturesInput,
    response: listPageOf(Capture),
    handler: ({ app, query, caller }) => listCaptures(app, query, caller),
  }),
  route({
    method: 'GET',
    path: '/captures/:id',
    id: 'getCapture',
    summary: 'Show a capture, with a new link to it',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Capture,
    handler: ({ app, params, caller }) => getCapture(app, params.id, caller),
  }),
  route({
    method: 'DELETE',
    path: '/captures/:id',
    id: 'deleteCapture',
    summary: 'Forget a capture',
    description: 'It answers no request any more. Links that were given out work until they expire.',
    tag,
    access: 'write',
    bound: 'refused',
    params: IdParams,
    handler: ({ app, params, caller }) => deleteCapture(app, params.id, caller),
  }),
];
