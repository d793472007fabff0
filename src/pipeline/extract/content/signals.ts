import { hasType, type JsonLdNode } from '../json-ld.ts';
import { firstMeta, type PageHead } from '../page-head.ts';

/** What a page says about its own kind, before its text is looked at. */
export interface PageSignals {
  article: boolean;
  product: boolean;
  forum: boolean;
  documentation: boolean;
  listing: boolean;
  service: boolean;
  /** The address is that of a site's first page. */
  home: boolean;
  path: string;
}

export const NO_SIGNALS: PageSignals = {
  article: false,
  product: false,
  forum: false,
  documentation: false,
  listing: false,
  service: false,
  home: false,
  path: '',
};

const ARTICLE = /^(?:\w*Article|BlogPosting|Report|LiveBlogPosting|SocialMediaPosting|Recipe|HowTo)$/;
const FORUM = /^(?:DiscussionForumPosting|QAPage|Question)$/;
const LISTING = /^(?:ItemList|CollectionPage|SearchResultsPage|OfferCatalog|ProductCollection|Blog)$/;
const SERVICE =
  /^(?:Service|ProfessionalService|LocalBusiness|\w*Business|MedicalClinic|LegalService|FinancialService|FinancialProduct)$/;
const DOCS = /^(?:TechArticle|APIReference)$/;

export const FORUM_MAKERS =
  /phpbb|vbulletin|xenforo|discourse|flarum|nodebb|mybb|simple machines|vanilla|invision|ip\.?board|fluxbb|punbb|woltlab|askbot|question2answer|bbpress/i;
const DOCS_MAKERS =
  /docutils|sphinx|docusaurus|mkdocs|gitbook|vuepress|vitepress|jsdoc|javadoc|doxygen|readme\.io|antora|asciidoctor|rustdoc|pdoc|nextra|starlight|docsify|mdbook|typedoc|mediawiki|dokuwiki|confluence/i;
const FORUM_PATH =
  /(?:^|[/._-])(?:forums?|threads?|topics?|viewtopic|showthread|discussions?|questions?|community|board|boards|bbs)(?:[/._?-]|$)|\/t\/[\w-]+\/\d+|\/comments\/\w+\//i;
const DOCS_PATH =
  /(?:^|\/)(?:docs?|documentation|api|apis|reference|manual|handbook|guides?|tutorials?|wiki|help|kb|man|javadoc|learn)(?:\/|$)/i;
const DATED_PATH = /\/20\d{2}\/(?:0?[1-9]|1[0-2])\/(?:\d{1,2}\/)?[^/]{4,}/;
const PRODUCT_PATH = /\/(?:products?|dp|itm|produkte?|prod)\/[^/]+/i;
const LISTING_PATH =
  /\/(?:category|categories|collections?|catalog|shop|search|tag|tags|archive|jobs|directory|listings?|browse|results|c)(?:\/|$)|[?&](?:page|q|query|search|category|sort)=/i;

/** `sells`: a product was found on the page. */
export function readSignals(head: PageHead, nodes: readonly JsonLdNode[], url: string, sells = false): PageSignals {
  const itemTypes = head.items.map(({ attribs }) => (attribs.itemtype ?? attribs.typeof ?? '').replace(/^.*[/#:]/, ''));
  const typed = (pattern: RegExp): boolean =>
    nodes.some((node) => hasType(node, pattern)) || itemTypes.some((type) => pattern.test(type));
  const openGraph = firstMeta(head, 'og:type')?.toLowerCase() ?? '';
  const generator = firstMeta(head, 'generator') ?? '';
  const parsed = URL.parse(url);
  const path = parsed === null ? '' : parsed.pathname + parsed.search;
  const host = parsed?.hostname ?? '';
  const products =
    nodes.filter((node) => hasType(node, /^(?:Product|ProductGroup|IndividualProduct)$/)).length +
    itemTypes.filter((type) => type === 'Product').length;
  const written = typed(ARTICLE) || head.metas.has('article:published_time') || DATED_PATH.test(path);
  const named = (products > 0 && products <= 2) || /product/.test(openGraph) || head.metas.has('product:price:amount');
  const product = sells || named || (PRODUCT_PATH.test(path) && !LISTING_PATH.test(path));
  return {
    // Publishing tools name any page an article for Open Graph; a product says otherwise.
    article: written || (/\barticle\b/.test(openGraph) && !product),
    product: product && !typed(ARTICLE) && (named || !written),
    forum:
      typed(FORUM) ||
      FORUM_MAKERS.test(generator) ||
      FORUM_PATH.test(path) ||
      /^(?:forums?|community|discuss|ask|answers?)\./i.test(host),
    documentation:
      typed(DOCS) ||
      DOCS_MAKERS.test(generator) ||
      DOCS_PATH.test(path) ||
      /^(?:docs?|developers?|api|wiki|help|support|man|learn)\./i.test(host) ||
      /\.readthedocs\.|\.gitbook\./i.test(host),
    listing: typed(LISTING) || products > 2 || LISTING_PATH.test(path),
    service: typed(SERVICE),
    home: parsed !== null && /^\/(?:index\.\w+|[a-z]{2}\/?)?$/.test(parsed.pathname),
    path,
  };
}
