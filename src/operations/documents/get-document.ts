import type { App } from '../../app.ts';
import { findDocumentView } from '../../db/documents/document-views.ts';
import { found } from '../found.ts';
import type { DocumentDetail } from './document.ts';

/** A deleted document is still shown here until it is removed for good: its `deleted_at` says so. */
export async function getDocument(app: Pick<App, 'database'>, id: string): Promise<DocumentDetail> {
  return found(await findDocumentView(app.database, id), 'document', id);
}
