/**
 * How money is written: the symbols and abbreviations of each currency, and which currency a symbol means on which
 * country's sites.
 *
 * `SURE` marks are money wherever they stand. `LIKELY` marks also occur in other words and texts, so they only count
 * when nothing sure was found. A mark listed for several currencies means the first of them unless the site's country
 * uses another one.
 */
const SURE: [iso: string, marks: string][] = [
  ['USD', '$ US$ U$S'],
  ['EUR', '€ EUR euro eur'],
  ['GBP', '£'],
  ['ARS', 'AR$ $'],
  ['AUD', 'AU$ A$ $'],
  ['BBD', 'Bds$'],
  ['BND', 'BN$'],
  ['BRL', 'R$'],
  ['BZD', 'BZ$'],
  ['CAD', 'CA$ C$ $'],
  ['CLP', 'CL$ $'],
  ['COP', 'CO$ $'],
  ['CUC', 'CUC$'],
  ['CVE', 'CV$'],
  ['DOP', 'RD$ $'],
  ['HKD', 'HK$ $'],
  ['JMD', 'J$'],
  ['MOP', 'MOP$'],
  ['MXN', 'MX$ $'],
  ['NAD', 'N$'],
  ['NIO', 'C$'],
  ['NZD', 'NZ$ $'],
  ['SGD', 'S$ $'],
  ['TOP', 'T$'],
  ['TTD', 'TT$'],
  ['TWD', 'NT$ $ 新台幣 新臺幣 台幣'],
  ['UYU', '$U $'],
  ['WST', 'WS$'],
  ['ZWL', 'Z$'],
  ['SYP', 'SY£'],
  ['LBP', 'LB£'],
  ['JPY', '¥ ￥ 円'],
  ['CNY', 'CN¥ ¥ ￥ 元 人民币'],
  ['GHS', 'GH₵ ₵'],
  ['PLN', 'zł Zł ZŁ'],
  ['CZK', 'Kč KČ'],
  ['RUB', '₽ руб. руб Руб. Руб РУБ р.'],
  ['BYN', 'руб. руб р.'],
  ['UAH', '₴ грн. грн'],
  ['BGN', 'лв. лв'],
  ['RSD', 'дин. динар Dinara'],
  ['KZT', '₸ тңг. тңг'],
  ['AZN', '₼ ман.'],
  ['GEL', '₾'],
  ['AMD', '֏ դր. դր'],
  ['THB', '฿ บาท'],
  ['NGN', '₦'],
  ['PHP', '₱'],
  ['BDT', '৳ টকা'],
  ['LAK', '₭'],
  ['ILS', '₪'],
  ['IRR', '﷼ ریال تومان'],
  ['KHR', '៛'],
  ['KRW', '₩ ￦ 원'],
  ['VND', '₫'],
  ['CRC', '₡'],
  ['AWG', 'ƒ'],
  ['PYG', '₲'],
  ['AFN', '؋'],
  ['MNT', '₮'],
  ['INR', '₹ ৲ ૱ ௹ र'],
  ['NPR', 'नेरू'],
  ['PKR', '₨'],
  ['TRY', '₺'],
  ['BTC', '₿'],
  ['MVR', 'ރ'],
  ['QAR', 'ر.ق.'],
  ['KWD', 'د.ك.'],
  ['IQD', 'د.ع.'],
  ['OMR', 'ر.ع.'],
  ['YER', 'ر.ي.'],
  ['SAR', 'ر.س. ر.س ريال ﷼'],
  ['DZD', 'د.ج.'],
  ['MAD', 'د.م.'],
  ['AED', 'د.إ. د.إ درهم'],
  ['TND', 'د.ت.'],
  ['LYD', 'د.ل.'],
  ['BHD', 'د.ب.'],
  ['JOD', 'د.أ.'],
  ['EGP', 'ج.م. جنيه'],
  ['CHF', 'CHF'],
  ['DKK', 'DKK'],
  ['IDR', 'Rp'],
  ['RON', 'lei'],
  ['ITL', '₤'],
  ['FRF', '₣'],
  ['GRD', '₯'],
  ['ESP', '₧'],
];

const LIKELY: [iso: string, marks: string][] = [
  ['EUR', 'EURO Euro'],
  ['RUB', 'Р р'],
  ['SEK', 'kr kr. Kr KR Skr'],
  ['NOK', 'kr kr. Kr Nkr'],
  ['DKK', 'kr kr. Kr Dkr'],
  ['ISK', 'kr kr. Ikr'],
  ['HUF', 'Ft'],
  ['HRK', 'kn Kn KN'],
  ['RON', 'Lei LEI RON'],
  ['MDL', 'lei Lei'],
  ['TRY', 'TL'],
  ['CZK', 'CZK'],
  ['INR', 'Rs. Rs RS'],
  ['PKR', 'Rs. Rs RS'],
  ['LKR', 'Rs. Rs SLRs'],
  ['NPR', 'Rs. Rs NPRs'],
  ['MUR', 'Rs MURs'],
  ['MYR', 'RM'],
  ['ZAR', 'R'],
  ['KES', 'KSh Ksh'],
  ['TZS', 'TSh TSH'],
  ['UGX', 'USh'],
  ['ETB', 'Br'],
  ['BYN', 'Br'],
  ['BTN', 'Nu.'],
  ['BIF', 'FBu'],
  ['XAF', 'FCFA'],
  ['XOF', 'FCFA CFA'],
  ['DJF', 'Fdj'],
  ['ERN', 'Nfk'],
  ['MRU', 'UM'],
  ['PAB', 'B/.'],
  ['PEN', 'S/. S/'],
  ['VUV', 'VT'],
  ['ZMW', 'ZK'],
  ['GNF', 'FG'],
  ['CDF', 'FrCD'],
  ['KMF', 'CF FC'],
  ['AOA', 'Kz'],
  ['ALL', 'Lek Lekë'],
  ['BAM', 'KM'],
  ['MKD', 'ден'],
  ['BDT', 'Tk'],
  ['BHD', 'BD'],
  ['KWD', 'KD'],
  ['JOD', 'JD'],
  ['LYD', 'LD'],
  ['TND', 'DT'],
  ['DZD', 'DA'],
  ['MAD', 'DH Dhs'],
  ['AED', 'Dhs Dh'],
  ['BOB', 'Bs Bs.'],
  ['VES', 'Bs. Bs.F.'],
  ['VND', 'VNĐ đ Đ'],
  ['MGA', 'Ar'],
  ['MOP', 'MOP'],
  ['MZN', 'MTn MT'],
  ['LTL', 'Lt'],
  ['LVL', 'Ls'],
  ['SKK', 'Sk'],
  ['EEK', 'Ekr'],
  ['KZT', 'тг тг.'],
  ['UZS', "so'm soʻm сум"],
  ['KGS', 'сом'],
  ['AWG', 'Afl.'],
  ['AFN', 'Af'],
  ['CLF', 'UF'],
  ['RWF', 'RWF'],
  ['JPY', 'yen'],
  ['TWD', 'NTD'],
  ['CNY', 'RMB RBM 圆'],
  ['ILS', 'ש״ח ש"ח NIS nis'],
  ['PLN', 'zl'],
  ['EGP', 'ج.م'],
  ['DZD', 'د.ج دج'],
  ['JOD', 'د.أ'],
  ['QAR', 'ر.ق'],
  ['SYP', 'ل.س'],
  ['IQD', 'ع.د'],
  ['KWD', 'دينار'],
  ['RSD', 'din din.'],
  ['MMK', 'Ks'],
  ['GEL', 'ლარი'],
  ['CHF', 'SFr'],
  ['INR', 'ரூ'],
];

/** Codes that are no longer, or not officially, in ISO 4217 but still stand on pages. */
const OLD_CODES =
  'ATS BEF BYR CYP DEM EEK ESP FIM FRF GGP GRD IEP IMP ITL JEP LTL LUF LVL MRO MTL NLG PTE SIT SKK STD TRL VEF ZMK BTC';
/** Codes that are also plain English words: they count only beside a number. */
const WORD_CODES = new Set(['ALL', 'TOP', 'TRY', 'CUP', 'COP', 'BAM', 'GEL', 'PEN', 'SOS', 'ANG', 'MOP', 'XDR', 'XSU']);

export const ISO_CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const isoByMark = new Map<string, string[]>();
for (const [iso, marks] of [...SURE, ...LIKELY]) {
  for (const mark of marks.split(' ')) {
    const known = isoByMark.get(mark);
    if (known === undefined) isoByMark.set(mark, [iso]);
    else if (!known.includes(iso)) known.push(iso);
  }
}

const allCodes = [...ISO_CODES, ...OLD_CODES.split(' ')];
const sureMarks = SURE.flatMap(([, marks]) => marks.split(' '));
const likelyMarks = [...LIKELY.flatMap(([, marks]) => marks.split(' ')), ...allCodes].filter(
  (mark) => !sureMarks.includes(mark),
);

/** The marks that also occur in other words and texts. */
export const LIKELY_MARKS: ReadonlySet<string> = new Set(likelyMarks);

/** One expression over many marks, longest first. Marks of plain letters must not be part of a longer word. */
function anyOf(marks: readonly string[]): RegExp {
  const parts = [...new Set(marks)]
    .sort((a, b) => b.length - a.length)
    .map((mark) => {
      const escaped = mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
      const before = /^[A-Za-zРр]/.test(mark) ? '(?<!\\p{L})' : '';
      // Endings such as "euros" or "EURO" still mean the mark.
      const after = /^(EUR|euro|eur)$/.test(mark) ? '(?![A-Za-z]{3})' : /[A-Za-zРрđĐ]$/.test(mark) ? '(?!\\p{L})' : '';
      return WORD_CODES.has(mark)
        ? `(?:(?<=\\d\\s?)${escaped}(?!\\p{L})|(?<!\\p{L})${escaped}(?=\\s?\\d)|^${escaped}$)`
        : `${before}${escaped}${after}`;
    });
  return new RegExp(parts.join('|'), 'u');
}

export const SURE_MARK: RegExp = anyOf(sureMarks);
export const LIKELY_MARK: RegExp = anyOf(likelyMarks);
/** Beside a dollar sign, a code names the country of the dollar. */
export const DOLLAR_CODE: RegExp = anyOf(allCodes.filter((code) => code.endsWith('D')));

const CODE = /(?<![A-Za-z])([A-Z]{3})(?![A-Za-z])/g;

/** The ISO code a mark stands for; `country` (two letters, lower case) settles marks that several currencies share. */
export function isoOfMark(mark: string, country?: string): string | undefined {
  const text = mark.trim();
  if (ISO_CODES.has(text)) return text;
  const upper = text.toUpperCase();
  if (text.length === 3 && ISO_CODES.has(upper)) return upper;
  const candidates = isoByMark.get(text) ?? isoByMark.get(text.toLowerCase());
  if (candidates === undefined) return undefined;
  const local = country === undefined ? undefined : CURRENCY_OF_COUNTRY[country];
  return local !== undefined && candidates.includes(local) ? local : candidates[0];
}

/** The first ISO code written out in a text. */
export function findIsoCode(text: string): string | undefined {
  for (const match of text.matchAll(CODE)) {
    if (ISO_CODES.has(match[1]!) && !WORD_CODES.has(match[1]!)) return match[1];
  }
  return undefined;
}

const EURO_COUNTRIES = 'ad at be cy de ee es fi fr gr hr ie it lt lu lv mc me mt nl pt si sk sm va xk eu';
export const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO_COUNTRIES.split(' ').map((country) => [country, 'EUR'])),
  ...Object.fromEntries(
    (
      'us:USD uk:GBP gb:GBP au:AUD ca:CAD nz:NZD sg:SGD hk:HKD tw:TWD mx:MXN ar:ARS cl:CLP co:COP uy:UYU do:DOP br:BRL ' +
      'pe:PEN jp:JPY cn:CNY kr:KRW in:INR pk:PKR lk:LKR np:NPR bd:BDT id:IDR my:MYR th:THB vn:VND ph:PHP se:SEK no:NOK ' +
      'dk:DKK is:ISK ch:CHF li:CHF pl:PLN cz:CZK hu:HUF ro:RON md:MDL bg:BGN rs:RSD ba:BAM mk:MKD al:ALL ru:RUB by:BYN ' +
      'ua:UAH kz:KZT uz:UZS ge:GEL am:AMD az:AZN tr:TRY il:ILS ir:IRR iq:IQD sa:SAR ae:AED kw:KWD bh:BHD om:OMR qa:QAR ' +
      'jo:JOD lb:LBP eg:EGP ma:MAD tn:TND dz:DZD za:ZAR ng:NGN ke:KES tz:TZS ug:UGX gh:GHS et:ETB mu:MUR na:NAD'
    )
      .split(' ')
      .map((pair) => pair.split(':') as [string, string]),
  ),
};

/** Currencies whose prices are written with three decimals. */
export const THREE_DECIMALS: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'JOD', 'TND']);
