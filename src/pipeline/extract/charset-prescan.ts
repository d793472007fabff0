import { canonicalName } from './charset-name.ts';

/** Browsers read 1,024 bytes, and start again when a meta element comes later; one longer scan does both. */
const PRESCAN_BYTES = 16 * 1024;

/** The HTML standard's prescan: walks the first bytes as markup would be read and finds a meta that names a charset. */
export function prescanMeta(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, PRESCAN_BYTES)).toString('latin1');
  const xml = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  let at = 0;
  while (at < head.length) {
    at = head.indexOf('<', at);
    if (at === -1) break;
    if (head.startsWith('<!--', at)) {
      // The comment's two dashes may be the opening ones: <!--> is a whole comment.
      const end = head.indexOf('-->', at + 2);
      if (end === -1) break;
      at = end + 3;
    } else if (/^<meta[\s/]/i.test(head.slice(at, at + 6))) {
      const { attributes, end } = readAttributes(head, at + 5);
      const named = metaCharset(attributes);
      if (named !== undefined) return named;
      at = end;
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      let name = at + 1;
      while (name < head.length && !/[\s>/]/.test(head[name]!)) name++;
      if (head[at + 1] === '/') while (name < head.length && !/[\s>]/.test(head[name]!)) name++;
      at = readAttributes(head, name).end;
    } else if (/^<[!/?]/.test(head.slice(at, at + 2))) {
      const end = head.indexOf('>', at);
      if (end === -1) break;
      at = end + 1;
    } else at++;
  }
  return xml === undefined ? undefined : declared(xml);
}

function metaCharset(attributes: Map<string, string>): string | undefined {
  const charset = attributes.get('charset');
  if (charset !== undefined) return declared(charset);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return undefined;
  return declared(fromContent(attributes.get('content') ?? ''));
}

/** UTF-16 cannot be true of a meta that was just read as ASCII; the standard says to take UTF-8 then. */
function declared(label: string | undefined): string | undefined {
  const name = canonicalName(label);
  if (name?.startsWith('utf-16') === true) return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

function fromContent(content: string): string | undefined {
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(content);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** Attributes up to the tag's end, by the standard's byte rules; the first of a name counts. */
function readAttributes(head: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    while (at < head.length && /[\s/]/.test(head[at]!)) at++;
    if (at >= head.length) return { attributes: new Map(), end: at };
    if (head[at] === '>') break;
    const start = at;
    while (at < head.length && (at === start || head[at] !== '=') && !/[\s/>]/.test(head[at]!)) at++;
    const name = head.slice(start, at).toLowerCase();
    let next = at;
    while (next < head.length && /\s/.test(head[next]!)) next++;
    let value = '';
    if (head[next] === '=') {
      at = next + 1;
      while (at < head.length && /\s/.test(head[at]!)) at++;
      const quote = head[at];
      if (quote === '"' || quote === "'") {
        const close = head.indexOf(quote, at + 1);
        if (close === -1) return { attributes: new Map(), end: head.length };
        value = head.slice(at + 1, close);
        at = close + 1;
      } else {
        const valueStart = at;
        while (at < head.length && !/[\s>]/.test(head[at]!)) at++;
        value = head.slice(valueStart, at);
      }
    }
    if (!attributes.has(name)) attributes.set(name, value);
  }
  return { attributes, end: at + 1 };
}
