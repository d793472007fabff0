const MAX_HEADER = 8_192;

/**
 * The address that a Link field (RFC 8288) names as canonical, as written. Undefined when it names none, or two different
 * ones: then it contradicts itself. Only the first 8 KB of the field are read.
 */
export function readCanonicalLink(header: string | undefined): string | undefined {
  if (header === undefined || !/canonical/i.test(header)) return undefined;
  const named = new Set<string>();
  for (const { target, rel } of readLinks(header.slice(0, MAX_HEADER)))
    if (rel.toLowerCase().split(/\s+/).includes('canonical')) named.add(target);
  const [target] = named;
  return named.size === 1 ? target : undefined;
}

/** One pass: `<target>; name=value; name="value", <target> …`. A link whose target is not closed ends the reading. */
function* readLinks(header: string): Generator<{ target: string; rel: string }> {
  for (let at = header.indexOf('<'); at >= 0; ) {
    const close = header.indexOf('>', at);
    if (close < 0) return;
    const target = header.slice(at + 1, close).trim();
    const { rel, end } = readParameters(header, close + 1);
    yield { target, rel };
    at = header.indexOf('<', end);
  }
}

/** The rel parameter, and where the link ends: at a comma outside of quotes. The first rel counts, as the RFC says. */
function readParameters(header: string, from: number): { rel: string; end: number } {
  let rel: string | undefined;
  let at = from;
  while (at < header.length && header[at] !== ',') {
    const start = header[at] === ';' ? at + 1 : at;
    const end = endOfParameter(header, start);
    const text = header.slice(start, end);
    const equals = text.indexOf('=');
    if (equals >= 0 && text.slice(0, equals).trim().toLowerCase() === 'rel')
      rel ??= unquote(text.slice(equals + 1).trim());
    at = end;
  }
  return { rel: rel ?? '', end: at + 1 };
}

function endOfParameter(header: string, from: number): number {
  let quoted = false;
  for (let at = from; at < header.length; at++) {
    const character = header[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === ';' || character === ',')) return at;
  }
  return header.length;
}

const unquote = (value: string): string =>
  value.startsWith('"') ? value.slice(1, value.endsWith('"') ? -1 : undefined) : value;
