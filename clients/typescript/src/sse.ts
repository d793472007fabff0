import { CrawlerApiError } from './error.ts';

export interface ServerEvent {
  /** `message` when the stream gives none. */
  event: string;
  data: string;
  /** The last id the stream gave, with this event or before it. */
  id: string;
}

export interface EventParser {
  /** Takes the next piece of the stream, cut anywhere, and returns the events that are complete with it. */
  push(text: string): ServerEvent[];
  /** What the stream asks clients to wait before they come back; undefined until it does. */
  retryMs(): number | undefined;
}

const LF = 10;
const CR = 13;

/**
 * Reads a stream of server-sent events (HTML standard, 9.2.6). Each character is looked at once. An event that is not
 * closed by an empty line is dropped, as the standard says. A line or an event of more than `maxLength` characters ends
 * with an error: a server that never ends a line must not fill the memory.
 */
export function createEventParser(maxLength: number): EventParser {
  let line: string[] = [];
  let lineLength = 0;
  let afterCr = false;
  let name = '';
  let data: string[] = [];
  let dataLength = 0;
  let id = '';
  let retry: number | undefined;

  function endLine(found: ServerEvent[]): void {
    const text = line.length === 1 ? line[0]! : line.join('');
    line = [];
    lineLength = 0;
    if (text !== '') {
      takeField(text);
      return;
    }
    if (data.length > 0) found.push({ event: name === '' ? 'message' : name, data: data.join('\n'), id });
    name = '';
    data = [];
    dataLength = 0;
  }

  function takeField(text: string): void {
    const colon = text.indexOf(':');
    // A line that starts with a colon is a comment.
    if (colon === 0) return;
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
    else if (field === 'data') {
      data.push(value);
      dataLength += value.length + 1;
      limit(dataLength);
    }
  }

  function limit(length: number): void {
    if (length > maxLength)
      throw new CrawlerApiError(`the stream has an event of more than ${maxLength} characters`, {
        status: 0,
        code: 'ANSWER_INVALID',
      });
  }

  return {
    push(text) {
      const found: ServerEvent[] = [];
      let start = 0;
      for (let at = 0; at < text.length; at++) {
        const character = text.charCodeAt(at);
        const wasCr = afterCr;
        afterCr = character === CR;
        if (character !== CR && character !== LF) continue;
        // CR LF is one end of line, also when the stream was cut between them.
        if (character === LF && wasCr) {
          start = at + 1;
          continue;
        }
        if (at > start) line.push(text.slice(start, at));
        start = at + 1;
        endLine(found);
      }
      if (start < text.length) {
        line.push(text.slice(start));
        lineLength += text.length - start;
        limit(lineLength);
      }
      return found;
    },
    retryMs: () => retry,
  };
}
