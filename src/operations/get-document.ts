import type { App } from '../app.ts';
import { findDocumentView } from '../db/document-views.ts';
import type { DocumentDetail } from './document.ts';
import { found } from './found.ts';

/** A deleted document is still shown here until it is removed for good: its `deleted_at` says so. */
export async function getDocument(app: Pick<App, 'database'>, id: string): Promise<DocumentDetail> {
  return found(await findDocumentView(app.database, id), 'document', id);
}
