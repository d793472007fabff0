const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours east of Greenwich for the zone names that feeds really use. */
const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  ist: 5.5,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

// Held against text in which spaces stand alone.
const CLOCK = String.raw`(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?`;
const ZONE = String.raw` ?(?:([a-z]{1,5})? ?([+-]\d{1,2}:?(?:\d{2})?)?)`;
// 2004, 2004-07, 2004-07-08, 20040708, 2004-07-08T21:30:15.5+02:00, 2004-07-08 21:30
const ISO = new RegExp(String.raw`^(\d{4})(?:-?(\d{1,2})(?:-?(\d{1,2}))?)?(?:[t ] ?${CLOCK}${ZONE})?$`);
// Thu, 01 Jan 2004 19:48:21 GMT; 1 January 04 19:48 +0100; 01-Jan-2004
const MAIL = new RegExp(
  String.raw`^(?:[a-z]{2,9}\.?,? ?)?(\d{1,2})[ -]{1,3}([a-z]{3,9})\.?,?[ -]{1,3}(\d{4}|\d{2})(?:,? ${CLOCK}${ZONE})?$`,
);
// Thu Jan  1 19:48:21 UTC 2004; Jan 1, 2004 19:48
const WRITTEN = new RegExp(
  String.raw`^(?:[a-z]{2,9}\.?,? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (?:(\d{4})(?:,? ${CLOCK}${ZONE})?|${CLOCK}${ZONE} (\d{4}))$`,
);
// 7/8/2004 19:48:21
const AMERICAN = new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4})(?: ${CLOCK}${ZONE})?$`);

type Part = string | undefined;

/** A date as sitemaps and feeds write it → ISO 8601 in UTC; undefined when it is none. Missing zones count as UTC. */
export function parseDate(text: string): string | undefined {
  if (text.length > 80) return undefined;
  const value = withoutRemark(text.trim().toLowerCase().replace(/\s+/g, ' '));
  let match = ISO.exec(value);
  if (match !== null) return build(match[1], match[2] ?? '1', match[3] ?? '1', match.slice(4));
  match = MAIL.exec(value);
  if (match !== null) return build(match[3], monthNumber(match[2]), match[1], match.slice(4));
  match = WRITTEN.exec(value);
  if (match !== null) {
    const late = match[16] !== undefined;
    return build(late ? match[16] : match[3], monthNumber(match[1]), match[2], match.slice(late ? 10 : 4));
  }
  match = AMERICAN.exec(value);
  if (match !== null) return build(match[3], match[1], match[2], match.slice(4));
  return undefined;
}

/** Mail programs write the name of the zone behind the date: `… +0100 (CET)`. */
const withoutRemark = (date: string) => (date.endsWith(')') ? date.slice(0, date.lastIndexOf('(')).trimEnd() : date);

const monthNumber = (name: Part) => String(MONTHS.indexOf((name ?? '').slice(0, 3)) + 1);

function build(yearText: Part, monthText: Part, dayText: Part, clock: Part[]): string | undefined {
  const [hour = '0', minute = '0', second = '0', fraction = '0', zone, offset] = clock;
  let year = Number(yearText);
  if (yearText?.length === 2) year += year < 70 ? 2000 : 1900;
  const month = Number(monthText);
  const day = Number(dayText);
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  // 31 February is no date.
  if (date.getUTCMonth() !== month - 1) return undefined;
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
  const local =
    date.getTime() +
    Number(hour) * 3_600_000 +
    Number(minute) * 60_000 +
    Math.min(59, Number(second)) * 1000 +
    milliseconds;
  const shift = zoneMinutes(zone, offset);
  return shift === undefined ? undefined : new Date(local - shift * 60_000).toISOString();
}

function zoneMinutes(zone: Part, offset: Part): number | undefined {
  if (offset !== undefined) {
    const digits = offset.slice(1).replace(':', '');
    const hours = Number(digits.slice(0, digits.length > 2 ? -2 : undefined));
    const minutes = digits.length > 2 ? Number(digits.slice(-2)) : 0;
    if (hours > 15 || minutes > 59) return undefined;
    return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }
  // An unknown name says nothing about the clock; the day is right all the same.
  return (ZONES[zone ?? 'z'] ?? 0) * 60;
}
