import { normalizeEscapes } from './url-escapes.ts';

/**
 * Parameters that only say where a visitor came from. Names are compared in lower case; every `utm_` name counts too.
 * The list holds names that no known site uses to choose content.
 */
const TRACKING = (
  'gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid fbclid fb_action_ids fb_action_types fb_ref fb_source ' +
  'msclkid twclid ttclid li_fat_id yclid ysclid _openstat epik igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc ' +
  '__hstc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id rb_clickid s_cid s_kwcid ef_id wickedid ' +
  'irclickid irgwc _branch_match_id _branch_referrer ref_src ref_url _ga _gl __twitter_impression guccounter ' +
  'guce_referrer guce_referrer_sig cmpid ncid sr_share spm srsltid zanpid mkwid pk_campaign pk_kwd pk_source ' +
  'pk_medium pk_content piwik_campaign piwik_kwd mtm_campaign mtm_keyword mtm_source mtm_medium mtm_content mtm_cid ' +
  'mtm_group mtm_placement matomo_campaign matomo_kwd elqtrackid elqtrack trk_contact trk_msg trk_module trk_sid'
).split(' ');

/** Session ids by a name that means nothing else. */
const SESSION = 'jsessionid phpsessid aspsessionid asp.net_sessionid cfid cftoken oscsid zenid xtcsid sessid'.split(
  ' ',
);

/** Names that often hold a session id and often something else: they go only when the value looks like a token. */
const SESSION_LIKE = 'sid session sessionid session_id s_id'.split(' ');
const TOKEN = /^(?=.*\d)[\da-z_-]{16,}$/i;

/**
 * `ref` and `source` mostly name the referring link, but `?ref=v1.2` chooses a branch and `?source=https://…` a
 * document. They stay when the value is a number, a commit, a version, a usual branch name, or holds a path.
 */
const REFERRER = ['ref', 'source'];
const MEANINGFUL =
  /^(?:v?\d+|[\da-f]{7,64}|v?\d+\.[\dx][\w.-]*|main|master|head|trunk|stable|latest|next|dev|develop|gh-pages)$|\/|%2f|:|%3a/i;

/** What makes a parameter of this name noise. */
const NOISE = new Map<string, (value: string) => boolean>([
  ...[...TRACKING, ...SESSION].map((name) => [name, () => true] as const),
  ...SESSION_LIKE.map((name) => [name, (value: string) => TOKEN.test(value)] as const),
  ...REFERRER.map((name) => [name, (value: string) => !MEANINGFUL.test(value)] as const),
]);

function isNoise(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith('utm_') || lower.startsWith('aspsessionid')) return true;
  return NOISE.get(lower)?.(value) ?? false;
}

/**
 * The query without its `?`: noise removed, sorted by name; parameters of the same name keep their order, because
 * it can carry meaning.
 */
export function normalizeQuery(query: string): string {
  const escaped = query.includes('%');
  const kept: { name: string; pair: string }[] = [];
  let changed = escaped;
  let sorted = true;
  for (let start = 0; start <= query.length; ) {
    const next = query.indexOf('&', start);
    const end = next < 0 ? query.length : next;
    const pair = escaped ? normalizeEscapes(query.slice(start, end)) : query.slice(start, end);
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (pair === '' || isNoise(name, pair.slice(name.length + 1))) changed = true;
    else {
      if (kept.length > 0 && kept[kept.length - 1]!.name > name) sorted = false;
      kept.push({ name, pair });
    }
    start = end + 1;
  }
  if (sorted && !changed) return query;
  if (!sorted) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return kept.map(({ pair }) => pair).join('&');
}
