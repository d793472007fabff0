import { capturePdf, Pdf, PdfInput } from '../../../operations/capture-pdf.ts';
import { captureScreenshot, Screenshot, ScreenshotInput } from '../../../operations/capture-screenshot.ts';
import { ExecutedScripts, ExecuteScriptsInput, executeScripts } from '../../../operations/execute-scripts.ts';
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
    body: ScreenshotInput,
    response: Screenshot,
<<<<<<< HEAD
    handler: ({ app, body, closing }) => captureScreenshot(app, body, closing),
=======
    handler: ({ app, body, gone }) => captureScreenshot(app, body, gone()),
>>>>>>> 8ccd7bb (Add the commands: crawl, search, scrape, status, tasks, keys, doctor, migrate)
  }),
  route({
    method: 'POST',
    path: '/pdf',
    id: 'capturePdf',
    summary: 'Print a page',
    tag,
    access: 'write',
    body: PdfInput,
    response: Pdf,
<<<<<<< HEAD
    handler: ({ app, body, closing }) => capturePdf(app, body, closing),
=======
    handler: ({ app, body, gone }) => capturePdf(app, body, gone()),
>>>>>>> 8ccd7bb (Add the commands: crawl, search, scrape, status, tasks, keys, doctor, migrate)
  }),
  route({
    method: 'POST',
    path: '/execute-js',
    id: 'executeScripts',
    summary: 'Run scripts in a page',
<<<<<<< HEAD
=======
    description: 'In a browser without access to this machine or its network.',
>>>>>>> 8ccd7bb (Add the commands: crawl, search, scrape, status, tasks, keys, doctor, migrate)
    tag,
    access: 'write',
    body: ExecuteScriptsInput,
    response: ExecutedScripts,
<<<<<<< HEAD
    handler: ({ app, body, closing }) => executeScripts(app, body, closing),
=======
    handler: ({ app, body, gone }) => executeScripts(app, body, gone()),
>>>>>>> 8ccd7bb (Add the commands: crawl, search, scrape, status, tasks, keys, doctor, migrate)
  }),
];
