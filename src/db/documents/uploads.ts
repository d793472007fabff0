import type { Sql } from '../../ports/database.ts';

export interface UploadRow {
  name: string | null;
  content_type: string;
  bytes: number;
  blob_ref: string;
}

/** The file of a version stays the one it was first uploaded as: the same content again makes no new version. */
export async function insertUpload(sql: Sql, documentId: string, version: number, upload: UploadRow): Promise<void> {
  const { name, content_type, bytes, blob_ref } = upload;
  await sql.query(
    `INSERT INTO uploads (document_id, version, name, content_type, bytes, blob_ref) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (document_id, version) DO NOTHING`,
    [documentId, version, name, content_type, bytes, blob_ref],
  );
}

/** The file of the newest version that came as one. */
export async function findUpload(sql: Sql, documentId: string): Promise<UploadRow | undefined> {
  const rows = await sql.query<UploadRow>(
    'SELECT name, content_type, bytes, blob_ref FROM uploads WHERE document_id = $1 ORDER BY version DESC LIMIT 1',
    [documentId],
  );
  return rows[0];
}
