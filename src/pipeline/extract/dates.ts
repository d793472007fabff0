const OLDEST = Date.UTC(1990, 0, 1);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date as pages write it → ISO 8601 in UTC; undefined for what is no date or cannot be one of a web page. */
export function toIsoDate(value: string): string | undefined {
  const text = value.trim();
  const time = parseIso(text) ?? parseWritten(text);
  if (time === undefined || !Number.isFinite(time) || time < OLDEST || time > Date.UTC(2100, 0, 1)) return undefined;
  return new Date(time).toISOString();
}

const ISO =
  /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?/i;

/** Without a zone a time is taken as UTC: the answer must not depend on where the crawler runs. */
function parseIso(text: string): number | undefined {
  const found = ISO.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone = 'Z'] = found;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCMonth() !== Number(month) - 1)
    return undefined;
  return time - offsetOf(zone);
}

function offsetOf(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === '-' ? -minutes : minutes) * 60_000;
}

/** "Nov 18, 2019", "18 November 2019 10:30 GMT" and the like, in English. */
function parseWritten(text: string): number | undefined {
  if (text.length > 80) return undefined;
  const found =
    /\b([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/i.exec(text) ??
    swap(/\b(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})\b/i.exec(text));
  if (found === null) return undefined;
  const month = MONTHS.indexOf(found[1]!.slice(0, 3).toLowerCase());
  if (month === -1) return undefined;
  const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?/i.exec(text);
  const hour =
    clock === null
      ? 0
      : (Number(clock[1]) % (clock[4] === undefined ? 24 : 12)) + (/pm/i.test(clock[4] ?? '') ? 12 : 0);
  const zone = /([+-]\d{2}:?\d{2})\b/.exec(text.slice(found.index + found[0]!.length))?.[1] ?? 'Z';
  return (
    Date.UTC(Number(found[3]), month, Number(found[2]), hour, Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0)) -
    offsetOf(zone)
  );
}

function swap(found: RegExpExecArray | null): RegExpExecArray | null {
  if (found !== null) [found[1], found[2]] = [found[2]!, found[1]!];
  return found;
}

/** News sites often put the day into the address: /2019/11/18/. */
export function dateFromUrl(url: string): string | undefined {
  const found = /\/((?:19|20)\d{2})[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?=[/-]|$)/.exec(url);
  return found === null ? undefined : toIsoDate(`${found[1]}-${found[2]}-${found[3]}`);
}
