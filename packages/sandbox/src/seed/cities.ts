export interface City {
  readonly name: string;
  readonly country: string;
  /** Of the city center, in degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Price level relative to Berlin. */
  readonly priceLevel: number;
  readonly streets: readonly [string, ...string[]];
}

export const cities: readonly [City, ...City[]] = [
  {
    name: 'Berlin',
    country: 'DE',
    latitude: 52.5163,
    longitude: 13.3777,
    priceLevel: 1,
    streets: ['Friedrichstraße', 'Karl-Marx-Allee', 'Kantstraße', 'Schönhauser Allee', 'Torstraße'],
  },
  {
    name: 'Hamburg',
    country: 'DE',
    latitude: 53.5503,
    longitude: 9.9921,
    priceLevel: 1,
    streets: ['Mönckebergstraße', 'Jungfernstieg', 'Osterstraße', 'Reeperbahn', 'Steindamm'],
  },
  {
    name: 'Munich',
    country: 'DE',
    latitude: 48.1372,
    longitude: 11.5755,
    priceLevel: 1.3,
    streets: ['Leopoldstraße', 'Sendlinger Straße', 'Rosenheimer Straße', 'Kaufingerstraße'],
  },
  {
    name: 'Cologne',
    country: 'DE',
    latitude: 50.9384,
    longitude: 6.9599,
    priceLevel: 0.9,
    streets: ['Hohe Straße', 'Venloer Straße', 'Schildergasse', 'Aachener Straße'],
  },
  {
    name: 'Vienna',
    country: 'AT',
    latitude: 48.2084,
    longitude: 16.3731,
    priceLevel: 1.1,
    streets: [
      'Mariahilfer Straße',
      'Kärntner Straße',
      'Landstraßer Hauptstraße',
      'Favoritenstraße',
    ],
  },
  {
    name: 'Graz',
    country: 'AT',
    latitude: 47.0707,
    longitude: 15.4395,
    priceLevel: 0.7,
    streets: ['Herrengasse', 'Annenstraße', 'Sporgasse', 'Jakoministraße'],
  },
  {
    name: 'Zurich',
    country: 'CH',
    latitude: 47.3744,
    longitude: 8.5411,
    priceLevel: 1.8,
    streets: ['Bahnhofstrasse', 'Langstrasse', 'Löwenstrasse', 'Badenerstrasse'],
  },
  {
    name: 'Paris',
    country: 'FR',
    latitude: 48.8566,
    longitude: 2.3522,
    priceLevel: 1.6,
    streets: ['Rue de Rivoli', 'Boulevard Voltaire', 'Avenue de Clichy', 'Rue Oberkampf'],
  },
  {
    name: 'Lyon',
    country: 'FR',
    latitude: 45.764,
    longitude: 4.8357,
    priceLevel: 0.9,
    streets: ['Rue de la République', 'Cours Lafayette', 'Avenue Jean Jaurès', 'Rue Garibaldi'],
  },
  {
    name: 'Amsterdam',
    country: 'NL',
    latitude: 52.3731,
    longitude: 4.8926,
    priceLevel: 1.3,
    streets: ['Damrak', 'Kinkerstraat', 'Ferdinand Bolstraat', 'Rozengracht', 'Overtoom'],
  },
  {
    name: 'Rotterdam',
    country: 'NL',
    latitude: 51.9225,
    longitude: 4.4792,
    priceLevel: 1,
    streets: ['Coolsingel', 'Witte de Withstraat', 'Lijnbaan', 'Nieuwe Binnenweg'],
  },
  {
    name: 'Copenhagen',
    country: 'DK',
    latitude: 55.6761,
    longitude: 12.5683,
    priceLevel: 1.4,
    streets: ['Strøget', 'Vesterbrogade', 'Nørrebrogade', 'Amagerbrogade'],
  },
  {
    name: 'Warsaw',
    country: 'PL',
    latitude: 52.2297,
    longitude: 21.0122,
    priceLevel: 0.6,
    streets: ['Marszałkowska', 'Nowy Świat', 'Puławska', 'Aleje Jerozolimskie'],
  },
  {
    name: 'Prague',
    country: 'CZ',
    latitude: 50.0755,
    longitude: 14.4378,
    priceLevel: 0.7,
    streets: ['Vinohradská', 'Na Příkopě', 'Národní', 'Sokolovská'],
  },
  {
    name: 'Madrid',
    country: 'ES',
    latitude: 40.4168,
    longitude: -3.7038,
    priceLevel: 1,
    streets: ['Gran Vía', 'Calle de Alcalá', 'Calle de Serrano', 'Calle de Bravo Murillo'],
  },
  {
    name: 'London',
    country: 'GB',
    latitude: 51.5074,
    longitude: -0.1278,
    priceLevel: 1.9,
    streets: ['Oxford Street', 'Camden High Street', 'Brixton Road', 'Kingsland Road', 'Strand'],
  },
];
