import { envExample } from '../src/config/env-example.ts';
import { settleFile } from './generated-file.ts';

/** Writes .env.example from the settings; with --check, fails when the file is not what they say. */
settleFile('.env.example', envExample());
