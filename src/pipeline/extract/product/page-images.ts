import type { ProductPage } from './page.ts';
import type { Scan } from './scan.ts';

const GALLERY_HINT =
  /gallery|product[-_]?(?:image|img|photo|media|main)|main[-_]?(?:image|img|photo)|zoom|carousel|slick|swiper|image[-_]?block|landing/i;
const MAX_IMAGES = 12;

/** Pictures in a gallery, or those near the heading that are named after the product. */
export function findImages(page: ProductPage, scan: Scan): { url: string; alt?: string }[] {
  const found = new Map<string, { url: string; alt?: string }>();
  const heading = page.headingText.toLowerCase();
  for (const { element, aside, hint, parent, order } of scan.spots) {
    if (element.name !== 'img' || aside || found.size >= MAX_IMAGES) continue;
    const { attribs } = element;
    const alt = attribs.alt?.trim() ?? '';
    const named =
      alt.length > 4 && heading !== '' && (heading.includes(alt.toLowerCase()) || alt.toLowerCase().includes(heading));
    const around = `${hint} ${parent?.hint ?? ''} ${parent?.parent?.hint ?? ''}`;
    if (!named && !(GALLERY_HINT.test(around) && Math.abs(order - scan.headingOrder) < 300)) continue;
    const source = attribs['data-zoom-image'] ?? attribs['data-large'] ?? attribs['data-src'] ?? attribs.src;
    if (source === undefined || source.startsWith('data:')) continue;
    const url = page.resolve(source);
    if (url === undefined || found.has(url)) continue;
    found.set(url, alt === '' ? { url } : { url, alt });
  }
  return [...found.values()];
}
