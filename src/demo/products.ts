/** Forty products, made from tables: eight families of five. */
export type Markup = 'json-ld' | 'microdata' | 'plain';

export interface Product {
  slug: string;
  name: string;
  family: string;
  brand: string;
  sku: string;
  gtin: string;
  /** Cents on day 0. */
  price: number;
  /** Cents; only where a product is on sale. */
  regularPrice?: number;
  currency: 'EUR' | 'USD' | 'GBP';
  availability: 'InStock' | 'OutOfStock' | 'PreOrder';
  rating?: { value: number; count: number };
  description: string;
  markup: Markup;
}

interface Family {
  name: string;
  about: string;
  brand: string;
  code: string;
  from: number;
  models: [name: string, description: string][];
}

const FAMILIES: Family[] = [
  {
    name: 'Hubs',
    about:
      "A hub listens to the sensors, keeps what they say and rings when a rule asks for it. All hubs run the same software and can take over each other's backup, so a small one bought in spring can give way to a larger one in autumn without touching a single sensor in the field.",
    brand: 'Meadowlark',
    code: 'HB',
    from: 18_900,
    models: [
      ['Perch Hub Mini', 'The smallest hub: sixteen sensors, wired network only, no screen.'],
      ['Perch Hub', 'The hub most farms use: sixty-four sensors, relay port and a quiet chime.'],
      ['Perch Hub Outdoor', 'The same hub in a cast housing that takes rain, dust and minus thirty degrees.'],
      ['Perch Hub Duo', 'Two hubs that watch each other; when one fails the other goes on within a minute.'],
      ['Perch Hub Rack', 'A hub of one rack unit for estates with several hundred sensors.'],
    ],
  },
  {
    name: 'Air sensors',
    about:
      'What the air does at plant height decides about growth, disease and frost. These sensors wake every five minutes, measure for forty milliseconds and sleep again; a single lithium cell lasts four years. Each comes with an orange card that tells how it compared with our reference at three points.',
    brand: 'Meadowlark',
    code: 'AR',
    from: 5_900,
    models: [
      ['Wren Air Sensor', 'Temperature and humidity in a shield of nine plates.'],
      ['Wren Pro Air Sensor', 'A Wren with a platinum element and a certificate of five points.'],
      ['Pipit Barometer', 'Air pressure and its tendency, for indoors or out.'],
      ['Siskin Light Sensor', 'Sunshine in watts and plant light in micromoles.'],
      ['Curlew Frost Probe', 'A brass blossom that freezes with its neighbours.'],
    ],
  },
  {
    name: 'Wind and rain',
    about:
      'Wind and rain want free sight to the sky. Choose the place first and the mast second: four metres above the roof, away from chimneys, level to within a degree. The parts that touch weather are steel, bronze or glass, and each of them can be bought alone when a branch comes down.',
    brand: 'Meadowlark',
    code: 'WR',
    from: 9_900,
    models: [
      ['Swift Anemometer', 'Wind by ultrasound, without a moving part.'],
      ['Swift Heated Anemometer', 'A Swift that melts its own ice, for mountains and mains supply.'],
      ['Dipper Rain Gauge', 'Tipping bucket with a funnel of 200 square centimetres.'],
      ['Dipper Steel Rain Gauge', 'The gauge in brushed steel, for places with cattle.'],
      ['Heron Snow Sensor', 'Snow depth from an arm of two metres, with an estimate of its weight.'],
    ],
  },
  {
    name: 'Soil sensors',
    about:
      'Roots know nothing of the forecast. A sensor beside them tells how much water is left, how warm the ground is and when leaves have been wet for too long. The blades and spears stay in the soil for years; ploughing is the only thing they do not survive.',
    brand: 'Terrafold',
    code: 'SL',
    from: 7_400,
    models: [
      ['Plover Soil Blade', 'Moisture at three depths from one fibreglass blade.'],
      ['Plover Short Blade', 'A blade of 25 centimetres for raised beds and pots.'],
      ['Dunlin Soil Spear', 'Soil temperature at 5, 20 and 100 centimetres.'],
      ['Turnstone Compost Spear', 'Heat in the middle of a heap, up to ninety degrees.'],
      ['Lapwing Leaf Sensor', 'Hours of wet leaves, the clock of fungi.'],
    ],
  },
  {
    name: 'Water sensors',
    about:
      'Cisterns run dry on Sundays and tanks turn sour over night. These probes look at level, flow and chemistry, and let the hub say so on Friday. Those with glass tips need care and a calibration every three months; the radars need none at all.',
    brand: 'Rillwater',
    code: 'WT',
    from: 14_900,
    models: [
      ['Bittern Level Radar', 'Level of ponds and cisterns to a millimetre, from above.'],
      ['Bittern Long Radar', 'The same for shafts down to thirty metres.'],
      ['Avocet Tank Probe', 'pH, conductivity and temperature of nutrient tanks.'],
      ['Avocet Spare Tip', 'A new glass tip for the tank probe, shipped wet.'],
      ['Grebe Flow Meter', 'Litres per minute in a pipe, clamped on from outside.'],
    ],
  },
  {
    name: 'Masts and mounts',
    about:
      'Half of all wrong readings come from a wobbling mast. The clamps and brackets here are made in the next valley from galvanised steel and marine aluminium, fit tubes from 25 to 60 millimetres, and can be put up with two spanners and a friend.',
    brand: 'Ostler & Wye',
    code: 'MT',
    from: 1_900,
    models: [
      ['Steel Mast Clamp', 'Holds a housing on tubes from 25 to 60 millimetres.'],
      ['Folding Mast 4 m', 'Four metres of aluminium that one person can raise.'],
      ['Roof Bracket', 'A bracket for rafters, with a seal that stays tight.'],
      ['Ground Screw', 'Seventy centimetres of galvanised thread instead of concrete.'],
      ['Canopy Hanger', 'Hangs a leaf sensor at the right tilt, without a tool.'],
    ],
  },
  {
    name: 'Power',
    about:
      'Electricity is the dull part that fails first. We measured cells in a freezer, panels in December fog and supplies on long cables, and kept what still worked. Sizes are given for fifty degrees north; farther south a smaller panel will do.',
    brand: 'Lantern & Low',
    code: 'PW',
    from: 900,
    models: [
      ['CR123A Cell, Pack of Four', 'Lithium cells that were tested at minus twenty degrees.'],
      ['Solar Kit 100 W', 'Panel, controller and cables for a hub off the grid.'],
      ['Winter Battery 40 Ah', 'An iron phosphate battery with a heater of its own.'],
      ['USB-C Supply', 'Five volts that stay five volts.'],
      ['Lightning Arrester', 'A gas tube for the antenna line; cheaper than a new hub.'],
    ],
  },
  {
    name: 'Books and kits',
    about:
      'For those who begin, and for those who teach. The boxes hold everything for a first season, with the screws counted; the books explain what the numbers mean and were read by three growers before they were printed.',
    brand: 'Hedgerow Press',
    code: 'BK',
    from: 2_400,
    models: [
      ['Starter Box', 'A hub, an air sensor, a soil blade and everything to mount them.'],
      ['Orchard Frost Box', 'Three frost probes, a wind sensor and a very loud chime.'],
      ['The Small Weather Book', 'Two hundred pages about reading the sky above one field.'],
      ['School Kit', 'Six sensors and twelve lessons for pupils from ten years.'],
      ['Calibration Salts', 'Three salts in jars with lids that seal, and a table.'],
    ],
  },
];

const MARKUPS: Markup[] = ['json-ld', 'microdata', 'plain'];
const CURRENCIES: Product['currency'][] = ['EUR', 'EUR', 'USD', 'EUR', 'GBP'];

export const FAMILY_NAMES = FAMILIES.map(({ name }) => name);
export const aboutFamily = (name: string) => FAMILIES.find((family) => family.name === name)?.about ?? '';

const GROWERS = ['Ines', 'Matthew', 'Oluchi', 'Henrik', 'Rosa', 'Tadeusz', 'Maeve'];
const PLACES = [
  'an apple orchard',
  'a vineyard on chalk',
  'a school garden',
  'a market garden',
  'a nursery',
  'a hill farm',
];
const OPINIONS = [
  'It has been through two winters and a curious goat, and reads as on the first day.',
  'I mounted it alone in twenty minutes, most of which I spent looking for the ladder.',
  'The manual is one page long and I needed half of it.',
  'After a hailstorm the neighbours asked me how much had fallen, and I could tell them.',
  'It paid for itself in the one night on which we did not sleep through.',
  'My daughter reads the numbers at breakfast now, before the comics.',
  'The first one came with a loose screw; the second came the next day with a letter.',
  'We compared it with the old mercury thermometer and sold the thermometer.',
  'It does one thing, and it has never surprised me.',
  'I would buy it again, but I do not have to, because it does not break.',
  'The cable is long enough, which I have never written about anything before.',
];

/** What a grower said about the product with this number. */
export const reviewOf = (index: number) =>
  `${GROWERS[index % GROWERS.length]}, who runs ${PLACES[index % PLACES.length]}, writes: ${OPINIONS[index % OPINIONS.length]} ${OPINIONS[(index * 3 + 5) % OPINIONS.length]}`;

export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

export const PRODUCTS: readonly Product[] = FAMILIES.flatMap((family, familyIndex) =>
  family.models.map(([name, description], model) => {
    const index = familyIndex * 5 + model;
    const price =
      family.from + Math.round((family.from * model * ((index % 4) + 1)) / 3 / 100) * 100 + (index % 2) * 50;
    return {
      slug: slugOf(name),
      name,
      family: family.name,
      brand: family.brand,
      sku: `${family.code}-${100 + index * 7}`,
      gtin: withCheckDigit(`40${String(12_345_000_00 + index * 137).padStart(10, '0')}`),
      price,
      ...(index % 6 === 3 ? { regularPrice: price + 2_500 } : {}),
      currency: CURRENCIES[index % CURRENCIES.length]!,
      availability: index % 9 === 4 ? 'OutOfStock' : index % 13 === 6 ? 'PreOrder' : 'InStock',
      ...(index % 4 === 1 ? {} : { rating: { value: 3.5 + (index % 15) / 10, count: 3 + ((index * 17) % 90) } }),
      description,
      markup: MARKUPS[index % MARKUPS.length]!,
    };
  }),
);

/** GTIN-13: weights 1 and 3 in turns from the left. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
