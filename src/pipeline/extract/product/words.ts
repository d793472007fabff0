/** What shops write on and around the things that matter here, in the languages shops are written in. */

export const BUY_TEXT =
  /add (?:\w+ )?to (?:\w+ )?(?:cart|bag|basket|trolley|order)|\bbuy (?:it )?now\b|^buy$|\bpurchase\b|place (?:a )?bid|order now|^naroči$|naruči|objednať|objednat|zamów|заказать|megrendel|^bestellen$|^kupi(?:ti)?$|make (?:an )?offer|in den (?:waren|einkaufs)(?:korb|wagen)|jetzt (?:kaufen|bestellen)|ajouter au panier|acheter|añadir a(?:l carrito| la cesta| la bolsa)|agregar al? (?:carro|carrito|bolsa)|comprar|aggiungi al(?:la borsa| carrello)|acquista|adicionar (?:ao|à) (?:carrinho|sacola|cesto)|in (?:mijn )?winkel(?:wagen|mand)(?:je)?|dodaj do koszyka|do koš[ií]k[ua]|kúpiť|koupit|(?:v|u|dodaj v) košaric[ou]|kupi (?:sada|zdaj)|kosárba|adaug[aă] [iî]n co[sș]|в (?:корзину|кошик)|купить|купити|добави в количката|lägg i (?:varukorg|kundvagn)|læg i kurv|legg i handlekurv|lisää (?:ostos)?koriin|lisa (?:ostu)?korvi|sepete ekle|hemen al|أضف (?:إلى|الى)|הוס(?:ף|פה) לסל|カートに(?:入れる|追加)|加入(?:购物车|購物車|購物袋)|立即(?:购买|購買)|直接購買|장바구니|구매하기|바로구매|thêm vào giỏ|mua ngay|beli sekarang|tambah ke keranjang|หยิบใส่ตะกร้า/i;
export const BUY_ATTRIBUTE =
  /add[-_]?(?:item)?[-_]?to[-_]?(?:shopping[-_]?)?(?:cart|bag|basket|trolley)|addcart|cart[-_]?add|buy[-_]?(?:now|button|btn|box|it)|button[-_]cart|cart[-_](?:button|btn)|btn[-_]?(?:buy|cart|bid)|in[-_]?den[-_]?warenkorb|winkelwagen|panier|carrello|product[-_]?form__(?:submit|cart)/i;

export const PRICE_HINT =
  /price|preis|prix|precio|preco|preço|prezzo|prijs|(?:^|[-_ ])cena|(?:^|[-_ ])pris(?:[-_ ]|$)|hinta|harga|amount|prc(?:isum|\b)|kaina|cijena|ціна|цена/i;
export const CURRENT_PRICE =
  /current|sale|final|now|our|special|offer|actual|main|product[-_]?price|selling|deal|today|promo|buybox|discounted|reduced|akt|bin[-_]?price/i;
export const STRUCK_PRICE =
  /old|was|strike|struck|rrp|uvp|srp|msrp|regular|list[-_]?price|compare|before|cross(?:ed)?[-_]?out|crossed|line[-_]?through|original|statt|ancien|barr[eé]|previous|retail|normal[-_]?price|precio[-_]?antes|base[-_]?price|full[-_]?price|high[-_]?price/i;
export const OTHER_PRICE =
  /unit[-_]?price|per[-_]?unit|ship|deliver|versand|livraison|install|finanz|financ|month|emi\b|saving|save|discount[-_]?(?:amount|value|percent|label)|coupon|voucher|points|bonus|cashback|deposit|pfand|eco[-_]?part|tax|vat|filter|facet|range|slider|min|max|threshold|subtotal|total|cart|basket|insurance|warranty|service|integer|fraction|cents|decimal|symbol/i;
export const STRUCK_TEXT =
  /\b(?:rrp|uvp|srp|msrp|was|list price|regular price|retail price|original price|instead of|statt|bisher|au lieu de|prix conseillé|antes|precio anterior|prezzo (?:di )?listino|invece di|de:|avantajos|prp|běžná cena|původní cena|pôvodná cena|redna cena|stara cena|cena katalogowa)\b|建議售價|建议零售价|原價|原价|定價|市價|市场价|старая цена|정가|定価/i;
export const UNIT_TEXT =
  /\/\s?(?:\d*\s?)?(?:kg|g|l|ml|m|m²|m2|stk|st|pc|piece|unit|ea|100|oz|lb|sqft|month|mo|mes|mois|monat|mies|miesi)|\b(?:pro|per|par|por|za|je|pr)\.? (?:\d+ ?)?(?:kg|g|l|ml|month|monat|mois|mes|stück|unit|litre|liter|100|kilo)|\b\d+\s?x\s|\bx\s?\d+\b|monthly|monatlich|mensual|\bmtl\b|raty|rat[ao]/i;
export const OTHER_TEXT =
  /shipping|delivery|versand|livraison|envío|spedizione|frete|dostaw|doprav|poštnin|достав|you save|save |spar|économ|ahorra|risparmi|discount|rabatt|remise|cupom|off\b|%|points|deposit|pfand|free over|orders? over|above|minimum|up to|trade[- ]in|cashback|gift card|voucher|coupon|deduct|éco-?part|insurance|warranty|bid increment|premium/i;

/** Boxes that show other things than the product of the page. */
export const ASIDE_HINT =
  /related|recommend|similar|also[-_]|cross[-_]?sell|up[-_]?sell|carousel|recent(?:ly)?|you[-_]?may|sponsor|accessor|compar(?:e|ison)(?:[-_ ]|$)|mini[-_]?(?:cart|basket)|(?:^|[-_ ])footer|(?:^|[-_ ])nav(?:bar|igation)?(?:[-_ ]|$)|(?:^|[-_ ])menu|(?:^|[-_ ])header(?:[-_ ]|$)|reviews?(?:[-_ ]|$)|newsletter|cookie|suggest|product[-_]?(?:list|grid|card|tile|teaser|thumb|item)s?(?:[-_ ]|$)|bestseller|top[-_]?seller|other[-_]?(?:products|offers|sellers)|frequently|bought[-_]?together|(?:^|[-_ ])ads?(?:[-_ ]|$)|advert|banner|filter|facet|promo[-_]?(?:list|block)|upsale|purchase[-_]?sims|sims[-_]/i;

/** Before a value: which fact it is. Matched against a short label without its colon. */
export const LABELS = {
  sku: /^(?:(?:product |seller )?sku(?: (?:no|number|code|nr|id))?|item(?: (?:no|number|code|id|#))|(?:ebay )?item number|product (?:code|id|no|number|ref(?:erence)?|article)|article (?:no|number|code)|lot (?:no|number|id)|(?:online )?art(?:ikel|\.)?[- ]?(?:nr|nummer|no|number|nro)|bestell-?(?:nr|nummer)|produkt-?(?:nr|nummer|id)|r[eé]f(?:[eé]rence)?(?: produit)?|referencia|refer[eê]ncia|ref|codice(?: prodotto| articolo)?|cod(?:ice)?|cód(?:igo)?(?: (?:do|del)? ?(?:produto|producto|item))?|cod produs|kod(?: produktu| towaru)?|nr (?:art(?:ykułu|ikla)?|ref(?:erencyjny)?|katalogowy)|symbol|obj(?:ednací)? ?(?:č|číslo)|kat(?:alogové)? ?(?:č|číslo)|k[oó]d(?: (?:produktu|zboží|tovaru|výrobku))?|šifra(?: (?:izdelka|artikla|proizvoda))?|артикул|код(?: товара| товару)?|арт|номер товара|asin|numero oggetto ebay|numéro de l'objet(?: ebay)?|artikelnummer|ebay-artikelnummer|tuote(?:numero|koodi)|toote(?:kood|number)|varenummer|varenr|artnr|商品(?:編號|编号|番号|コード|id)|貨號|货号|品番|상품(?:번호|코드)|מק["״']?ט|رقم (?:المنتج|الموديل)|رمز المنتج|ad id|post id|listing id|auction id|stock(?: (?:no|number|code|#))|catalogue? (?:no|number)|style(?: (?:no|number|code|#))?|web ?(?:id|code)|store sku|part ?#?)$/i,
  mpn: /^(?:mpn|(?:manufacturer(?:'s)?|mfr\.?) part (?:no|number)(?: \(mpn\))?|part (?:no|number)|(?:item )?model (?:no|number)|hersteller(?:artikel)?(?:nummer|-nr)|modell?nummer|numero modello(?: articolo)?|numéro (?:de|du) modèle(?: de l'article)?|référence (?:fabricant|constructeur)|numero (?:di |de )?modello(?: articolo)?|número de modelo|modelo|model|numer (?:części|katalogowy producenta)|part ?number|p\/?n|výrobní číslo|kód výrobce|modellnummer)$/i,
  gtin: /^(?:ean(?:[- ]?(?:13|8|code|kod|kód|number|nummer))?|gtin(?:-?\d+)?|upc(?: code)?|isbn(?:-?1[03])?|bar ?code|kod ean|codice ean|código de barras|codice a barre|штрих-?код|čárový kód|code[- ]barres|ean\/upc|jan(?:コード)?|条码|國際條碼)$/i,
  brand:
    /^(?:brand(?: name)?|marke|marque|marca|merk|značka|znamka|blagovna znamka|marka|бренд|торговая марка|márka|manufacturer|hersteller|fabricant|fabbricante|fabricante|produttore|výrobce|výrobca|proizvođač|proizvajalec|producent|производитель|виробник|märke|varumärke|mærke|merke|tuotemerkki|valmistaja|bränd|tootja|gyártó|producător|brand name|品牌|廠牌|メーカー|ブランド|브랜드|제조사|מותג|יצרן|العلامة التجارية|الماركة|make|label|publisher|editore|verlag|éditeur)$/i,
  stock:
    /^(?:availability|verfügbarkeit|disponibilité|disponibilità|disponibilidad|disponibilidade|beschikbaarheid|dostępność|dostupnost|dostupnosť|razpoložljivost|elérhetőség|disponibilitate|наличие|наявність|lagerstatus|saatavuus|laoseis|stock|stok|zaloga|在庫|庫存|库存|재고)$/i,
} as const;

/** Addresses and names at the start of breadcrumbs that are no category. */
export const HOME =
  /^(?:home(?:page)?|start(?:seite)?|accueil|inicio|início|strona główna|domov|úvod|hlavní stránka|kezdőlap|acasă|главная|головна|hem|hjem|forside|etusivu|avaleht|domača stran|naslovnica|首頁|首页|ホーム|홈|\.\.\.|…|back|shop)$/i;
