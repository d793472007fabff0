/** What an element's class, id and role say about it, as bits. Names repeat over a site, so answers are remembered. */
export const HINT = {
  navigation: 1,
  footer: 1 << 1,
  sidebar: 1 << 2,
  social: 1 << 3,
  related: 1 << 4,
  signup: 1 << 5,
  consent: 1 << 6,
  comments: 1 << 7,
  advert: 1 << 8,
  byline: 1 << 9,
  overlay: 1 << 10,
  header: 1 << 11,
  tags: 1 << 12,
  caption: 1 << 13,
  content: 1 << 14,
  body: 1 << 15,
  post: 1 << 16,
  card: 1 << 17,
  hidden: 1 << 18,
  toc: 1 << 19,
  author: 1 << 20,
  filters: 1 << 21,
  user: 1 << 22,
  reviews: 1 << 23,
} as const;

/** Words are looked for in the names after camelCase and digits were split off: `relatedPosts2` is `related posts`. */
const RULES: readonly [bit: number, pattern: RegExp][] = [
  [
    HINT.navigation,
    /\b(nav|navs|navbar|navigation|navi|subnav|topnav|menus?|megamenu|submenu|breadcrumbs?|crumbs?|pagination|pager|paging|skip link|skiplinks?|site links|toolbar|prev next|previous next|post links?|jump links?|tabs? list|tablist|quicklinks|linklist|link list|language (switch\w*|select\w*)|back to top)\b/,
  ],
  [
    HINT.footer,
    /\b(footers?|foot|colophon|copyright|contentinfo|legal|disclaimer|fineprint|imprint|bottom (bar|nav|links)|sitefooter|pagefooter|global footer)\b/,
  ],
  [
    HINT.sidebar,
    /\b(sidebars?|side bar|side column|sidecol|rail|right (rail|col|column|bar)|rightrail|rightcol\w*|aside|widgets?|complementary|secondary|tertiary|gutter)\b/,
  ],
  [
    HINT.social,
    /\b(share|shares|sharing|sharer|sharebar|sharetools?|share tools?|sharedaddy|socials?|socialmedia|addthis\w*|addtoany|a2a|shariff|follow|followus|follow us|facebook|twitter|tweet|whatsapp|pinterest|linkedin|instagram|jp post flair|like box|likes)\b/,
  ],
  [
    HINT.related,
    /\b(related\w*|recommend\w*|recommended|recirc\w*|more (stories|news|articles|posts|from|on|to|like|reading)|morenews|readmore|read (more|next|also)|also (read|like|see|on)|see also|you (may|might)|you may like|similar|trending|popular|most (read|popular|viewed|recent|shared|commented)|mostread|latest (news|posts|stories|articles)|up next|next (article|story|post|up)|further reading|outbrain|taboola|zergnet|nrelate|yarpp|crp|promo\w*|teasers?|upsell|cross sell|crosssell|inline (related|link|promo)|read on|suggest(ed|ions?)|dont miss|don t miss|editors? picks?|top stories|topstories|headlines)\b/,
  ],
  [
    HINT.signup,
    /\b(newsletters?|subscri\w+|sign up|signup|signin|sign in|login|log in|register|registration|opt in|optin|mailing list|mailchimp|mc embed|paywall|piano|donat\w+|membership|premium promo|cta|call to action|email capture|lead form|regwall|gigya|app (banner|promo|download))\b/,
  ],
  [HINT.consent, /\b(cookies?|cookie\w+|consent|gdpr|ccpa|onetrust|cmp|privacy (banner|notice|bar))\b/],
  [
    HINT.comments,
    /\b(comments?|commentlist|comment\w+|disqus\w*|respond|livefyre|viafoura|coral|fb comments|replies|trackbacks?|pingbacks?|guestbook|user reviews?)\b/,
  ],
  [
    HINT.advert,
    /\b(ads?|adv|adverts?|advertisement|advertising|adsense|adslot|adbox|adunit|ad[a-z]*(slot|unit|wrap|wrapper|container)|dfp|gpt|google ads?|sponsor(ed|s|ship)?|sponsored\w*|banners?|billboard|leaderboard|mpu|skyscraper|promoted|commercial|partner (links|content))\b/,
  ],
  [
    HINT.byline,
    /\b(bylines?|by line|dateline|datelines?|timestamp|published|pubdate|publish date|publication date|posted (on|by)|post (meta|info|date|details)|postmeta|postinfo|entry (meta|date|info|utility)|article (meta|info|date|header meta|details)|meta info|metadata|meta data|author (name|info|date|line|meta)|story (meta|info)|reading time|read time|last updated|updated (at|on)|date (published|modified)|date time|datetime|views|view count)\b/,
  ],
  [
    HINT.author,
    /\b(author|authors|about (the )?author|author (bio|box|card|profile|description)|authorbox|bio|biography|contributors?|writer)\b/,
  ],
  [
    HINT.overlay,
    /\b(modal|modals|popup|pop up|popover|overlay|lightbox|dialog|tooltip|toast|snackbar|offcanvas|off canvas|drawer|flyout|interstitial|noscript|print only|alert|alerts|notification|notice bar|announcement bar)\b/,
  ],
  [
    HINT.header,
    /\b(masthead|site header|siteheader|page header|header|topbar|top bar|global header|banner|branding|logo)\b/,
  ],
  [
    HINT.tags,
    /\b(tags?|tag (list|cloud|links)|taglist|tagcloud|topics?|keywords|categories|category|cat links|hashtags?|filed under|entry (footer|tags|categories)|post (tags|categories|footer)|article (tags|footer|topics))\b/,
  ],
  [
    HINT.caption,
    /\b(captions?|figcaption|credits?|photo credit|image (credit|caption|source)|wp caption\w*|cutline|media (caption|credit))\b/,
  ],
  [
    HINT.body,
    /\b(article ?body|articlebody|article ?(content|text|copy|main)|story ?(body|content|text)|post ?(body|content|text|entry)|entry ?(content|body|text)|blog ?(content|body|post ?content)|body ?(content|copy|text)|content ?(body|text|article)|main ?text|rich ?text|page ?content|news ?(body|content|text)|text ?(body|content)|markdown body|mw parser output)\b/,
  ],
  [
    HINT.content,
    /\b(content|contents|main|article|articles|entry|story|post|body|text|page|blog|hentry|h entry|prose|document|documentation|readme)\b/,
  ],
  [
    HINT.post,
    /\b(post|posts|postbody|post (body|content|row|container|wrapper|message)|message|messages|message (body|content|text)|messagetext|reply|replies|answer|answers|question|thread|topic|comment|comments|cooked|bbwrapper|forum ?post|posting|postcontent|usertext)\b/,
  ],
  [
    HINT.card,
    /\b(cards?|tiles?|items?|listing|listings|result|results|product|products|entry|teaser|teasers|grid item|list item|row|col|column|hit|hits|job|jobs|offer|offers)\b/,
  ],
  [
    HINT.hidden,
    /\b(sr only|visually ?hidden|screen reader( text)?|screenreader\w*|assistive text|a11y hidden|element invisible|print only|visible print( block| inline)?|mw editsection|edit ?section|mw cite backlink|noprint)\b/,
  ],
  [
    HINT.toc,
    /\b(toc|table of contents|contents table|on this page|page toc|in this article|article ?nav|section nav|local nav|jump to)\b/,
  ],
  [
    HINT.filters,
    /\b(facets?|filters?|refine\w*|sort by|sorting|sort|refinements?|search (form|box|bar)|searchform|searchbox)\b/,
  ],
  [
    HINT.reviews,
    /\b(reviews?|ratings?|testimonials?|bewertung(en)?|kundenbewertung(en)?|kundenmeinung(en)?|rezension(en)?|avis|opiniones|opinie|recensioni|avaliac\w+|reviewlist|bazaarvoice|bv|trustpilot|yotpo|q and a|questions? (and )?answers?|qna)\b/,
  ],
  [
    HINT.user,
    /\b(user ?(info|details?|card|bar|panel|box|name|stats)|username|userinfo|post ?profile|postprofile|poster|member ?(info|card)|message (user|cell user|attribution|meta|actions?|footer)|avatar|signatures?|ranks?|reputation|post ?author|post ?bit ?(left|legacy)?|postbit|karma|votes?|vote (count|cell)|voting|reactions?|post (controls|buttons|actions|menu|likes|number|head|header|date|links)|author info|js vote count|post signature|topic meta|topic map)\b/,
  ],
];

/** Whole attributes repeat over a site's pages, their words over all sites. */
const knownNames = new Map<string, number>();
const knownWords = new Map<string, number>();
const MAX_KNOWN = 60_000;
const MAX_LENGTH = 600;

export function readHints(attribs: Record<string, string>): number {
  const { class: classes, id, role } = attribs;
  let hints = 0;
  if (classes !== undefined && classes !== '') hints = readNames(classes);
  if (id !== undefined && id !== '') hints |= readWord(id);
  if (role !== undefined && role !== '') hints |= readWord(role);
  return hints;
}

function readNames(names: string): number {
  const known = knownNames.get(names);
  if (known !== undefined) return known;
  let hints = 0;
  if (names.length <= MAX_LENGTH) for (const word of names.split(/\s+/)) if (word !== '') hints |= readWord(word);
  remember(knownNames, names, hints);
  return hints;
}

/** Numbers only distinguish one element from another. */
function readWord(word: string): number {
  if (word.length > 100) return 0;
  const plain = DIGITS.test(word) ? word.replace(/\d+/g, ' ') : word;
  const known = knownWords.get(plain);
  if (known !== undefined) return known;
  const hints = judge(plain);
  remember(knownWords, plain, hints);
  return hints;
}

const DIGITS = /\d/;

function remember(known: Map<string, number>, key: string, hints: number): void {
  if (known.size >= MAX_KNOWN) known.clear();
  // A name cut from a page would keep the whole page in memory; a copy does not.
  known.set(Buffer.from(key).toString(), hints);
}

/** Most names say nothing, and one look is enough to know. */
const ANY = new RegExp(RULES.map(([, { source }]) => source).join('|'));

function judge(name: string): number {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ');
  if (!ANY.test(words)) return 0;
  let hints = 0;
  for (const [bit, pattern] of RULES) if (pattern.test(words)) hints |= bit;
  return hints;
}
