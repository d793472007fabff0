/**
 * Which legacy encoding a text without any declaration is in. Each candidate decodes a sample; the decoded text is then
 * judged by how much of its non-ASCII part looks like a language that was written in that encoding.
 */

const SAMPLE_BYTES = 64 * 1024;

interface Candidate {
  name: string;
  /** Characters that are strong evidence for this encoding, weak evidence for it, and evidence against it. */
  common: RegExp;
  rare?: RegExp;
  /** Written among the letters of ASCII, not in words of its own. */
  latin?: true;
}

const MULTI_BYTE: readonly Candidate[] = [
  { name: 'shift_jis', common: /[\u3040-\u30ff\u3001\u3002]/g, rare: /[\u4e00-\u9fff\uff01-\uff60]/g },
  { name: 'euc-jp', common: /[\u3040-\u30ff\u3001\u3002]/g, rare: /[\u4e00-\u9fff\uff01-\uff60]/g },
  {
    name: 'gb18030',
    common: /[的一是不了人在有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可，。]/g,
    rare: /[\u4e00-\u9fff\uff01-\uff60]/g,
  },
  {
    name: 'big5',
    common: /[的一是不了人在有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可，。]/g,
    rare: /[\u4e00-\u9fff\uff01-\uff60]/g,
  },
  { name: 'euc-kr', common: /[이다는을의에가고하지한를은로도기사자어아]/g, rare: /[\uac00-\ud7a3]/g },
];

/** The commonest first: it wins ties. */
const SINGLE_BYTE: readonly Candidate[] = [
  {
    name: 'windows-1252',
    latin: true,
    common: /[éèêëàâäáãåæçíìîïñóòôöõøœúùûüßÉÈÀÂÄÅÖÜØ’‘“”–—…«»°©®·€£\u00a0]/g,
    rare: /[\u00a1-\u00ff]/g,
  },
  { name: 'windows-1251', common: /[оеаинтсрвлкмдпу]/g, rare: /[\u0410-\u044f\u0451\u0401іїєґў]/g },
  { name: 'koi8-r', common: /[оеаинтсрвлкмдпу]/g, rare: /[\u0410-\u044f\u0451\u0401]/g },
  { name: 'ibm866', common: /[оеаинтсрвлкмдпу]/g, rare: /[\u0410-\u044f\u0451\u0401]/g },
  { name: 'iso-8859-5', common: /[оеаинтсрвлкмдпу]/g, rare: /[\u0410-\u044f\u0451\u0401]/g },
  { name: 'windows-1253', common: /[αοιετσνηυρπκμλωάίέόήύώ]/g, rare: /[\u0386-\u03ce]/g },
  { name: 'windows-1255', common: /[\u05d0-\u05ea]/g },
  { name: 'windows-1256', common: /[اليمونرتبةعدسفهكقحجأ]/g, rare: /[\u0621-\u064a]/g },
  { name: 'windows-874', common: /[\u0e01-\u0e3a\u0e40-\u0e4e]/g },
  { name: 'windows-1254', latin: true, common: /[ışğİçöüŞĞÇÖÜ]/g, rare: /[âîû’“”…–—]/g },
  {
    name: 'windows-1250',
    latin: true,
    common: /[ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăşţ]/g,
    rare: /[ĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽŐŰÖÜÄ’“”„…–—]/g,
  },
];

/** Undefined when the text is ASCII only. */
export function detectLegacyEncoding(body: Uint8Array): string | undefined {
  const sample = body.subarray(0, SAMPLE_BYTES);
  if (hasEscapeSequences(sample)) return 'iso-2022-jp';
  const bytes = highBytes(sample);
  if (bytes.length === 0) return undefined;
  let best = 'windows-1252';
  let highest = 0;
  for (const candidate of MULTI_BYTE) {
    const score = judge(candidate, sample, true);
    if (score > highest) [best, highest] = [candidate.name, score];
  }
  // Two bytes that form a valid pair all over the sample are hardly ever single letters.
  if (highest > 0.6) return best === 'gb18030' ? 'gbk' : best;
  for (const candidate of SINGLE_BYTE) {
    const score = judge(candidate, sample, false);
    if (score > highest) [best, highest] = [candidate.name, score];
  }
  return best === 'gb18030' ? 'gbk' : best;
}

function judge(candidate: Candidate, sample: Uint8Array, pairs: boolean): number {
  const text = new TextDecoder(candidate.name).decode(sample);
  const foreign = text.replace(/\p{ASCII}+/gu, '');
  if (foreign === '') return 0;
  const bad = count(foreign, /[\ufffd\u0080-\u009f\ue000-\uf8ff\u2500-\u259f]/g);
  const common = count(foreign, candidate.common);
  const rare = candidate.rare === undefined ? 0 : count(foreign, candidate.rare);
  const weight = pairs ? common * 1.2 + Math.max(0, rare - common) * 0.75 : common + Math.max(0, rare - common) * 0.6;
  // Real text contains many of the most common characters; bytes that pair up by chance do not.
  if (pairs) return ((weight - bad * 4) / foreign.length) * (common > foreign.length * 0.04 ? 1 : 0.4);
  const misplaced =
    candidate.latin === true ? inRuns(text) : count(text, /[A-Za-z][\u00a1-\uffff]|[\u00a1-\uffff][A-Za-z]/g);
  return (weight - bad * 4 - misplaced) / foreign.length;
}

/** Characters in runs of three and more letters beyond ASCII: no Latin alphabet has such words. */
function inRuns(text: string): number {
  return text.match(/[\u00c0-\u024f]{3,}/g)?.join('').length ?? 0;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function highBytes(sample: Uint8Array): Uint8Array {
  return sample.filter((byte) => byte >= 0x80);
}

/** ESC $ B, ESC $ @, ESC ( J: how ISO-2022-JP switches character sets. */
function hasEscapeSequences(sample: Uint8Array): boolean {
  for (let at = sample.indexOf(0x1b); at !== -1; at = sample.indexOf(0x1b, at + 1))
    if (sample[at + 1] === 0x24 && (sample[at + 2] === 0x42 || sample[at + 2] === 0x40)) return true;
  return false;
}
