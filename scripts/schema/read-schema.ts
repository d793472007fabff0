import type { Sql } from '../../src/ports/database.ts';

export interface Column {
  name: string;
  type: string;
  nullable: boolean;
  /** The default as SQL; identity columns say so. */
  fallback: string | null;
}

export interface Constraint {
  name: string;
  kind: 'primary' | 'unique' | 'foreign' | 'check';
  definition: string;
  columns: string[];
  comment: string | null;
}

export interface Index {
  name: string;
  definition: string;
  unique: boolean;
  comment: string | null;
}

export interface Table {
  name: string;
  comment: string | null;
  columns: Column[];
  constraints: Constraint[];
  /** Those that do not belong to a constraint. */
  indexes: Index[];
}

/** Everything our documents and types say about the tables, out of the database's own catalogue. */
export async function readSchema(database: Sql): Promise<Table[]> {
  return database.query<Table>(`
    SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS comment,
      (SELECT coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', NOT a.attnotnull,
          'fallback', CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END) ORDER BY a.attnum), '[]')
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      (SELECT coalesce(json_agg(json_build_object(
          'name', k.conname,
          'kind', CASE k.contype WHEN 'p' THEN 'primary' WHEN 'u' THEN 'unique' WHEN 'f' THEN 'foreign' ELSE 'check' END,
          'definition', pg_get_constraintdef(k.oid),
          'columns', (SELECT json_agg(a.attname ORDER BY p.place) FROM unnest(k.conkey) WITH ORDINALITY AS p (num, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.num),
          'comment', obj_description(k.oid, 'pg_constraint')) ORDER BY k.contype, k.conname), '[]')
        FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'f', 'c')) AS constraints,
      (SELECT coalesce(json_agg(json_build_object(
          'name', ic.relname, 'definition', pg_get_indexdef(i.indexrelid), 'unique', i.indisunique,
          'comment', obj_description(i.indexrelid, 'pg_class')) ORDER BY ic.relname), '[]')
        FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
        WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid
          AND k.conrelid = c.oid)) AS indexes
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
    ORDER BY c.relname COLLATE "C"`);
}
