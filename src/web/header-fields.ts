/** Fields that belong to the connection, or would name another host (RFC 9110 §7.6.1). */
export const CONNECTION_FIELD =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|http2-settings)$/i;

/** A token of RFC 9110: what a field may be called. */
export const isFieldName = (name: string) => name.length <= 100 && /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/**
 * What a field may hold: printable ASCII without whitespace around it. HTTP allows other bytes, but does not define what
 * they mean: a plain fetch and a browser would send different ones.
 */
export const isFieldValue = (value: string) => value === value.trim() && /^[\t\x20-\x7e]*$/.test(value);

/** What a page is asked for as. */
export const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
