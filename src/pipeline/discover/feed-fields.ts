/** How the elements of RSS 0.9x, 1.0, 2.0 and Atom 0.3, 1.0 map to one set of fields. A lower rank wins. */

export type FeedField =
  | 'title'
  | 'summary'
  | 'content'
  | 'link'
  | 'id'
  | 'author'
  | 'published'
  | 'updated'
  | 'language'
  | 'category';

interface FieldRule {
  field: FeedField;
  rank: number;
  /** The text is markup, to be kept as such. */
  markup?: true;
}

const rule = (field: FeedField, rank: number, markup?: true): FieldRule =>
  markup === undefined ? { field, rank } : { field, rank, markup };

export const FIELD_RULES: Record<string, FieldRule> = {
  title: rule('title', 0),
  'atom:title': rule('title', 1),
  'dc:title': rule('title', 2),
  'media:title': rule('title', 3),
  description: rule('summary', 1, true),
  summary: rule('summary', 0, true),
  subtitle: rule('summary', 0, true),
  tagline: rule('summary', 0, true),
  'atom:summary': rule('summary', 2, true),
  'atom:subtitle': rule('summary', 2, true),
  'dc:description': rule('summary', 3, true),
  'itunes:summary': rule('summary', 4, true),
  'media:description': rule('summary', 5, true),
  content: rule('content', 0, true),
  'content:encoded': rule('content', 0, true),
  'atom:content': rule('content', 1, true),
  'xhtml:body': rule('content', 2, true),
  body: rule('content', 2, true),
  fullitem: rule('content', 3, true),
  link: rule('link', 1),
  'feedburner:origlink': rule('link', 0),
  id: rule('id', 0),
  guid: rule('id', 0),
  'dc:identifier': rule('id', 2),
  author: rule('author', 0),
  'dc:creator': rule('author', 1),
  'dc:author': rule('author', 1),
  'itunes:author': rule('author', 2),
  managingeditor: rule('author', 3),
  'media:credit': rule('author', 4),
  published: rule('published', 0),
  pubdate: rule('published', 0),
  issued: rule('published', 1),
  'atom:published': rule('published', 1),
  'dcterms:issued': rule('published', 2),
  'dc:date': rule('published', 3),
  date: rule('published', 3),
  created: rule('published', 4),
  'dcterms:created': rule('published', 4),
  updated: rule('updated', 0),
  modified: rule('updated', 1),
  'atom:updated': rule('updated', 1),
  'dcterms:modified': rule('updated', 2),
  lastbuilddate: rule('updated', 3),
  language: rule('language', 0),
  'dc:language': rule('language', 1),
  category: rule('category', 0),
  'dc:subject': rule('category', 0),
};
