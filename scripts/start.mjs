// npm start: installs what is missing and brings everything up, with the demo site and its crawl.
import { install } from './install.mjs';
import { launch } from './launch.mjs';

install(false).then(() => launch(['src/main.ts', 'up', '--demo', ...process.argv.slice(2)]));
