import { normalizeEscapes } from './url-escapes.ts';

/**
 * Parameters that only say where a visitor came from. Names are compared in lower case; every `utm_` name counts too.
 * The list holds names that no known site uses to choose content.
 */
export const TRACKING_PARAMETERS: ReadonlySet<string> = new Set(
  (
    'gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid fbclid fb_action_ids fb_action_types fb_ref fb_source ' +
    'msclkid twclid ttclid li_fat_id yclid ysclid _openstat epik igshid igsh mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc ' +
    '__hstc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id rb_clickid s_cid s_kwcid ef_id wickedid ' +
    'irclickid irgwc _branch_match_id _branch_referrer ref_src ref_url _ga _gl __twitter_impression guccounter ' +
    'guce_referrer guce_referrer_sig cmpid ncid sr_share spm srsltid zanpid mkwid pk_campaign pk_kwd pk_source ' +
    'pk_medium pk_content piwik_campaign piwik_kwd mtm_campaign mtm_keyword mtm_source mtm_medium mtm_content mtm_cid ' +
    'mtm_group mtm_placement matomo_campaign matomo_kwd elqtrackid elqtrack trk_contact trk_msg trk_module trk_sid'
  ).split(' '),
);

/** Session ids by a name that means nothing else. */
const SESSION_PARAMETERS: ReadonlySet<string> = new Set(
  'jsessionid phpsessid aspsessionid asp.net_sessionid cfid cftoken oscsid zenid xtcsid sessid'.split(' '),
);

/** Names that often hold a session id and often something else: they go only when the value looks like a token. */
const SESSION_LIKE: ReadonlySet<string> = new Set('sid session sessionid session_id s_id'.split(' '));
const TOKEN = /^(?=.*\d)[\da-z_-]{16,}$/i;

/**
 * `ref` and `source` mostly name the referring link, but `?ref=v1.2` chooses a branch and `?source=https://…` a
 * document. They stay when the value is a number, a commit, a version, a usual branch name, or holds a path.
 */
const REFERRER_PARAMETERS: ReadonlySet<string> = new Set(['ref', 'source']);
const MEANINGFUL =
  /^(?:\d+|[\da-f]{7,64}|v?\d+(?:\.[\dx]+)+[\w.-]*|v\d+|main|master|head|trunk|stable|latest|next|dev|develop|gh-pages|.*(?:\/|%2f|:|%3a).*)$/i;

function isNoise(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith('utm_') || TRACKING_PARAMETERS.has(lower)) return true;
  if (SESSION_PARAMETERS.has(lower) || lower.startsWith('aspsessionid')) return true;
  if (SESSION_LIKE.has(lower)) return TOKEN.test(value);
  return REFERRER_PARAMETERS.has(lower) && !MEANINGFUL.test(value);
}

const nameOf = (pair: string): string => {
  const end = pair.indexOf('=');
  return end < 0 ? pair : pair.slice(0, end);
};

function isKept(pair: string): boolean {
  if (pair === '') return false;
  const name = nameOf(pair);
  return !isNoise(name, pair.slice(name.length + 1));
}

/**
 * The query without its `?`: noise removed, sorted by name; parameters of the same name keep their order, because
 * it can carry meaning.
 */
export function normalizeQuery(query: string): string {
  const pairs = query.split('&');
  if (query.includes('%'))
    pairs.forEach((pair, i) => {
      pairs[i] = normalizeEscapes(pair);
    });
  const kept = pairs.filter(isKept);
  let sorted = true;
  for (let i = 1; i < kept.length && sorted; i++) sorted = nameOf(kept[i - 1]!) <= nameOf(kept[i]!);
  if (sorted) return kept.join('&');
  return kept
    .map((pair) => ({ pair, name: nameOf(pair) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ pair }) => pair)
    .join('&');
}
