import packageFile from '../package.json' with { type: 'json' };
import { buildOpenApi } from '../src/surfaces/http/openapi.ts';
import { ROUTES } from '../src/surfaces/http/routes/index.ts';
import { settleFile } from './generated-file.ts';

/** Writes docs/openapi.json from the route table; with --check, fails when the file is not what the table says. */
settleFile('docs/openapi.json', `${JSON.stringify(buildOpenApi(ROUTES, packageFile.version), null, 2)}\n`);
