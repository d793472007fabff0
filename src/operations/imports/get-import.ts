import type { App } from '../../app.ts';
import { findImport } from '../../db/imports/imports.ts';
import { found } from '../found.ts';
import { type Import, toImport } from './import.ts';

export const getImport = async (app: App, id: string): Promise<Import> =>
  toImport(app, found(await findImport(app.database, id), 'import', id));
