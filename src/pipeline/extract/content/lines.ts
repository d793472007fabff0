import type { Box } from './box.ts';
import { collapseWhitespace } from './whitespace.ts';

/** Short lines that pages put around their text, recognised by their wording. Several languages, whole lines only. */

const MONTH =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)\\.?';
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th|\\.)?[\\s/.-]+(?:de\\s+|of\\s+)?${MONTH}[\\s,/.-]+(?:de\\s+)?\\d{2,4}|${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}|\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4})`;
const HAS_DATE = new RegExp(`(?:^|[^\\p{L}\\d])${DATE}(?![\\p{L}\\d])`, 'iu');

const NOISE = new RegExp(
  `^(?:${[
    'advert(?:isement|ising)?s?(?: \\(.*\\))?',
    'anzeige|werbung|publicité|publicidad(?:e)?|pubblicità|реклама|continua dopo la pubblicità',
    '(?:ad|story|article|content|continue reading|scroll)? ?(?:continues|below|down)(?: (?:below|after) (?:the )?advertisement| to continue(?: reading)?)?',
    'article continues (?:below|after).{0,30}',
    'continue reading(?: the main story| below)?.{0,20}|read (?:more|full story|the full (?:article|story)|on)|show (?:more|less|all|comments?)|see (?:more|all)|view (?:all|more|comments?|gallery)|load more|learn more|find out more|click here|more\\.{0,3}|less|expand|collapse',
    'share(?: (?:this|on|via|with|article|story|post|the|page)\\b.{0,60})?|share & (?:save|comment)|shares?|tweet(?: this)?|pin(?: it)?|e-?mail(?: this.{0,20})?|print(?: this.{0,20})?|save(?: (?:article|story|for later))?|copy link|link copied.{0,10}|facebook|twitter|whatsapp|linkedin|reddit|pinterest|instagram|telegram|flipboard|messenger|youtube|google\\+',
    '(?:view|see) (?:this )?(?:job|details?|products?|profile|listing|offer|deal|more|all|full .{0,20})|apply(?: now)?|shop now|buy now|quick (?:view|shop|add|buy)|add to (?:cart|basket|bag|wish ?list|favou?rites|compare|trolley)|compare|in den warenkorb|ajouter au panier|añadir al carrito',
    'teilen|drucken|merken|weiterlesen|partager|imprimer|compartir|compartilhar|compartilhe|condividi|leia mais|leer más|lire la suite|mehr',
    '(?:\\d+ )?(?:comments?|replies|shares|views|likes|kommentare|commentaires|comentarios|comentários|commenti)(?: ?\\(?\\d*\\)?)?|(?:leave|post|add|write) (?:a|your) (?:comment|reply|review).{0,30}|join the (?:conversation|discussion).{0,20}|comments? (?:are|have been) (?:closed|disabled|turned off).{0,60}|(?:no|be the first to) comments?.{0,20}|tell us what you think.{0,10}|view (?:the )?discussion thread.{0,10}|post comment.{0,5}',
    'follow (?:us|me|him|her|them|@).{0,80}|follow [\\p{L} ]{2,30} on.{0,60}|like (?:us|this).{0,40}(?:facebook|story|article|post)?.{0,30}|subscribe(?: (?:now|today|here|to)\\b.{0,60})?|sign (?:up|in)(?: (?:here|now|today|for|to)\\b.{0,80})?|log ?in(?: (?:to|or)\\b.{0,40})?|register(?: now)?|newsletter(?: sign ?up)?|get (?:the|our) (?:app|newsletter).{0,60}|download (?:our|the) app.{0,40}',
    "related(?: (?:articles?|stories|posts?|news|content|links?|topics?|coverage|reading|video|videos|tags?))?:?|recommended(?: (?:for you|articles|stories|reading))?|trending(?: (?:now|stories))?|most (?:read|popular|viewed|shared)|more (?:stories|news|from|on|in|like this|articles|about)\\b.{0,60}|you (?:may|might)(?: also)? (?:like|be interested).{0,30}|don['’]t miss.{0,20}|up next|editor['’]s picks?|top stories|latest (?:news|stories|posts)|popular (?:posts|articles|now)|see also:?|also read:?|read (?:also|next):?|siehe auch:?|lesen sie auch:?|lire aussi:?|à lire aussi.{0,10}|leia também:?|lea también:?|leggi anche:?|mehr zum thema:?|artigos relacionados|related tags?:?",
    'similar (?:threads|topics|discussions|questions)|all times are .{0,60}',
    'tags?:?|topics?:?|categor(?:y|ies):?|filed under:?|keywords?:?|labels?:?|schlagw[oö]rte?r?:?|mots-clés:?|etiquetas:?',
    'externer inhalt|quellen?(?:angaben)?:?|keine kommentare|kommentar schreiben|bildquelle.{0,40}|zurück(?: zur .{0,30})?|nach oben|zum seitenanfang|zur startseite|retour|voltar|volver|temas relacionados|notas relacionadas|ver más|saiba mais|dowiedz się więcej|czytaj (?:także|też|więcej).{0,40}|подробнее|читайте также.{0,40}',
    'image(?: \\d+ of \\d+)?|photos?|gallery|caption|close|video|watch(?: now| video| live)?|play(?: video)?|loading\\.*|next|previous|prev|back(?: to top)?|top|home|menu|skip.{0,30}|search|print|image source.{0,20}|just watched|replay|must watch|hide caption|toggle caption|enlarge this image|getty images?|source:?|zoom',
    'by|von|par|por|di|door|av|af|written by|posted by|posted (?:in|on):?|published(?: on| by)?:?|(?:last )?updated(?: on)?:?|author:?|about the author:?',
    '\\d+ ?(?:min(?:ute)?s?|mins?)(?: read| ago)?|(?:reading|read) time:?.{0,20}|\\d+ (?:hours?|days?|weeks?|months?|years?) ago',
    'all rights reserved\\.?|(?:©|\\(c\\)|copyright).{0,160}|.{0,80}all rights reserved.{0,40}|terms (?:of use|of service|and conditions)|privacy policy|cookie (?:policy|settings)|powered by.{0,40}',
    'https?:\\/\\/\\S+|www\\.\\S+|[\\d\\s.,:/|•·–—-]+',
  ].join('|')})$`,
  'iu',
);

const CALLS =
  /^(?:sign up (?:here|now|today|for|to)|subscribe (?:now|today|here|to|for)|click here (?:to|for)|download (?:our|the) (?:free )?app|get (?:the latest|more) .{0,80}(?:inbox|newsletter)|follow (?:us|me|him|her|our|@)|follow .{2,60} on (?:twitter|facebook|instagram|x\b)|like us on|(?:foto|fotos|bild|titelbild|photos?|image|grafik|illustration|quelle|crédit|fuente|fonte|imagem|credits?)\s*:|\(?(?:foto|photo|image|bild|picture)(?: credit)?\s*:|(?:have|got) a (?:news )?tip\b|(?:please )?(?:read|check out|see) (?:more|also)\s*[:|]|read (?:more|next|also)\s*:|related\s*:|more\s*:|watch\s*:|see also\s*:|also (?:read|on|see)\b|lesen sie auch|lire aussi|leia (?:também|mais)|lea también|leggi anche|mehr dazu|for (?:more|the latest) .{0,80}(?:follow|visit|subscribe|sign up|click|download)|email .{2,40}(?: at |@)|this (?:article|post|story) (?:was|has been|may contain|contains|originally)|support (?:our|independent) journalism|we (?:use|value) (?:cookies|your privacy)|to comment on this|start your day with|get access to|image credit|photo(?:graph)?(?: credit)?s?\s*:|image(?:s)?\s*:|source\s*:|credit\s*:|(?:first )?published\s*:|(?:last )?updated\s*:|posted (?:by|on|in)\s*:|filed under\b|tags?\s*:|categor(?:y|ies)\s*:|topics?\s*:|related (?:tags?|roundup|articles?|stories)\s*:|copyright\b|©)/iu;

const BYLINE =
  /^(?:by|von|par|por|di|door|text|words|story|written by|posted by|reported by)(?:\s*:)?\s+\p{Lu}[\p{L}.'’-]+(?:\s+\p{L}[\p{L}.'’-]+){0,5}(?:\s*[,|/•·–—-].{0,80})?$/u;

/** A line that is never content: labels, buttons, counters, bare addresses. */
export function isNoise(line: string): boolean {
  return line.length <= 200 && NOISE.test(line);
}

const RELATED =
  /^(?:related\b|recommended\b|trending\b|most (?:read|popular|viewed|shared)|more (?:\S+ ){0,3}(?:stories|articles|news|posts|reading|videos|stuff|content)|more (?:from|on|in|about|like)\b|you (?:may|might)(?: also)? (?:like|enjoy|be interested)|don['’]t miss|up next|editor['’]s picks?|top stories|latest (?:news|stories|posts|articles)|popular (?:posts|articles|stories)|see also|also (?:read|on|see)\b|read (?:also|next|more)\b|further reading|explore further|similar (?:posts|articles|stories)|das könnte (?:sie|dich) (?:auch )?interessieren|mehr zum thema|lesen sie auch|weitere (?:artikel|beiträge|meldungen|themen)|verwandte (?:artikel|themen)|empfohlene|à lire aussi|lire aussi|sur le même (?:thème|sujet)|articles? (?:liés|similaires)|artículos relacionados|te puede interesar|leia também|veja também|artigos relacionados|leggi anche|articoli correlati|potrebbe interessarti|читайте также|похожие|по теме|zobacz także|czytaj także)/iu;

/** A title over links to other texts. */
export function isRelatedTitle(line: string): boolean {
  return line.length <= 80 && RELATED.test(line);
}

const POST =
  /^(?:join(?:ed|\s+date)?\s*:|location\s*:|from\s*:|posts?\s*:|messages\s*:|threads\s*:|likes?\s*:|reputation\s*:|rep power\s*:|(?:senior|junior|active|full|new|super)?\s*(?:member|moderator|administrator|admin|poster|user)$|registered(?: user)?|guest$|quote\s*:?$|reply$|report$|originally posted by|last edited|re:\s|#\d+$|\d+\s*(?:points?|likes?|votes?|answers?|replies)$|(?:asked|answered|edited|modified|viewed|posted|active)\s.{0,60}(?:ago|times|at \d|\d{4})|powered by|copyright ©|sent from my|who is online|users browsing|post (?:a )?reply|new (?:topic|thread)|reply to (?:this )?(?:topic|thread)|you (?:must|need to) (?:log ?in|be logged in|register)|thread starter|page \d+ of \d+)/iu;

/** A line about a post or its writer, as forums put them around each. */
export function isPostLine(line: string): boolean {
  return line.length <= 120 && (POST.test(line) || isByline(line));
}

const MORE =
  /^(?:continue reading|read (?:more|on)|learn more|more|weiterlesen|mehr(?: lesen)?|lire (?:la suite|plus)|leer más|leia mais|leggi (?:tutto|di più)|lees (?:meer|verder)|czytaj więcej|читать (?:далее|дальше))\b.{0,60}$/iu;

/** A link at the end of an excerpt that leads to the rest. */
export function isMoreLink(line: string): boolean {
  return line.length <= 120 && MORE.test(line);
}

/** A short paragraph that is a call to action or points elsewhere. */
export function isCall(line: string): boolean {
  return line.length <= 400 && CALLS.test(line);
}

/** A line with author and date, as it appears above or below an article. */
export function isByline(line: string): boolean {
  if (line.length > 200) return false;
  if (BYLINE.test(line)) return true;
  if (/\p{Ll}{2}[.!?]["”’]?$/u.test(line) && line.length > 40) return false;
  return (
    HAS_DATE.test(line) && line.replace(HAS_DATE, '').length <= 70 && !/[.!?]["”’]?\s+\p{Lu}\p{L}+\s+\p{Ll}/u.test(line)
  );
}

const CONSENT =
  /\b(?:accept|agree|consent|settings|preferences|experience|third[- ]party|partners|analytics|personali[sz]\w*|privacy|website|browser|akzeptier\w*|zustimm\w*|einwillig\w*|datenschutz\w*|webseite|acept\w*|acc[eè]pt\w*|confidentialit[eé]|privacidad\w*|informativa)\b/i;

/** A banner about cookies, not a recipe for them. */
export function speaksOfCookies(box: Box): boolean {
  return CONSENT.test(innerText(box)) && box.own < 1_500;
}

/** All text below a box that was not removed. */
export function innerText(box: Box): string {
  let text = '';
  for (const child of box.children) {
    if (typeof child === 'string') text += child;
    else if (!child.removed) text += child.block ? ` ${innerText(child)} ` : innerText(child);
  }
  return text;
}

const UNEVEN = / {2}|[\n\t\r]/;

/** The same as one line. Cached for a block of inline text: code that removes a part of it must clear the cache. */
export function lineOf(box: Box): string {
  if (box.line !== undefined) return box.line;
  const text = innerText(box);
  // The parts are collapsed already, but for those of a pre; whitespace may double where they join.
  const line = (UNEVEN.test(text) ? collapseWhitespace(text) : text).trim();
  if (box.own === box.text) box.line = line;
  return line;
}
