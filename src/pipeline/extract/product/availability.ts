import type { Availability } from '../types.ts';

const SCHEMA: Readonly<Record<string, Availability>> = {
  instock: 'in_stock',
  instoreonly: 'in_stock',
  onlineonly: 'in_stock',
  availablefororder: 'in_stock',
  available: 'in_stock',
  yes: 'in_stock',
  true: 'in_stock',
  limitedavailability: 'limited',
  preorder: 'preorder',
  presale: 'preorder',
  backorder: 'backorder',
  outofstock: 'out_of_stock',
  oos: 'out_of_stock',
  soldout: 'out_of_stock',
  unavailable: 'out_of_stock',
  reserved: 'out_of_stock',
  no: 'out_of_stock',
  false: 'out_of_stock',
  discontinued: 'discontinued',
};

/** What structured data says, with or without the schema.org address in front. */
export function readSchemaAvailability(value: string): Availability | undefined {
  const word = value
    .slice(value.lastIndexOf('/') + 1)
    .replace(/[\s_-]/g, '')
    .toLowerCase();
  return SCHEMA[word] ?? readAvailabilityText(value);
}

// How shops in many languages say it. The negative forms often contain the positive ones, so they are tried first.
const GONE =
  /\bdiscontinued\b|no longer (?:available|sold|made)|nicht mehr (?:lieferbar|erhältlich)|снят с производства|plus (?:fabriqué|commercialisé)|descatalogad[oa]|wycofan/i;
const OUT =
  /out[ -]of[ -]stock|sold[ -]?out|(?:currently|temporarily) (?:unavailable|not available|out)|not (?:currently )?available|no stock|not in stock|unavailable|notify me when|email (?:me )?when|back in stock (?:alert|notif)|ausverkauft|nicht (?:auf lager|verfügbar|lieferbar|vorrätig)|derzeit nicht|momentan nicht|vergriffen|rupture|épuisé|indisponible|non disponible|actuellement indisponible|agotad[oa]|sin (?:stock|existencias)|no disponible|non disponibile|esaurit[oa]|esgotad[oa]|indispon[ií]vel|sem estoque|niet (?:op voorraad|leverbaar|beschikbaar)|uitverkocht|brak w magazynie|niedostępn|wyprzedan|vyprodán|není skladem|nedostupn|nie je (?:na sklade|skladom)|vypredan|nincs (?:készleten|raktáron)|elfogyott|stoc epuizat|indisponibil|изчерпан|няма в наличност|нет в наличии|распродан|немає в наявності|slut i lager|slutsåld|ikke på lager|udsolgt|utsolgt|loppu|ei varastossa|tükendi|stokta yok|نفذ|غير متوفر|אזל|品切れ|在庫切れ|売り切れ|缺货|售罄|已售完|補貨|품절|일시품절|habis|hết hàng|สินค้าหมด/i;
const PREORDER =
  /pre[ -]?order|vorbestell|précommand|pre-?venta|reserva ahora|preordin|предзаказ|予約受付|预售|預購|예약판매/i;
const BACKORDER = /back[ -]?order|nachbestell|sur commande|bajo pedido|под заказ|på beställning/i;
const IN =
  /\bin[ -]stock\b|\d (?:available|left in stock|in stock)|only \d{1,9} left|last (?:one|few)|\bavailable (?:now|to|for|in)\b|availability:? available|ready to ship|ships (?:in|within|from|today)|usually (?:ships|dispatched)|auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|vorrätig|verfügbar|en stock|disponible|expédié|hay stock|en existencia|disponibil[eie]|dispon[ií]vel|em estoque|op voorraad|leverbaar|na stanie|dostępn|w magazynie|skladem|na sklade|skladom|na zalog|dobav(?:a|no|ljivo)|raktáron|készleten|în stoc|in stoc|в наличност|в наличии|є в наявності|в наявності|i lager|på lager|varastossa|saatavilla|laos|stokta|mevcut|متوفر|במלאי|在庫あり|有货|有貨|現貨|現貨供應|재고|tersedia|còn hàng|มีสินค้า/i;

/** What a short text about stock means; undefined when it says nothing about it. */
export function readAvailabilityText(text: string): Availability | undefined {
  if (GONE.test(text)) return 'discontinued';
  if (OUT.test(text)) return 'out_of_stock';
  if (PREORDER.test(text)) return 'preorder';
  if (BACKORDER.test(text)) return 'backorder';
  return IN.test(text) ? 'in_stock' : undefined;
}
