/** Name, country, latitude and longitude of the center, price level (Berlin: 1), streets. */
export const cities = rowsOf(
  `
Berlin; DE; 52.5163; 13.3777; 1; Friedrichstraße, Karl-Marx-Allee, Kantstraße, Schönhauser Allee, Torstraße
Hamburg; DE; 53.5503; 9.9921; 1; Mönckebergstraße, Jungfernstieg, Osterstraße, Reeperbahn, Steindamm
Munich; DE; 48.1372; 11.5755; 1.3; Leopoldstraße, Sendlinger Straße, Rosenheimer Straße, Kaufingerstraße
Cologne; DE; 50.9384; 6.9599; 0.9; Hohe Straße, Venloer Straße, Schildergasse, Aachener Straße
Vienna; AT; 48.2084; 16.3731; 1.1; Mariahilfer Straße, Kärntner Straße, Landstraßer Hauptstraße, Favoritenstraße
Graz; AT; 47.0707; 15.4395; 0.7; Herrengasse, Annenstraße, Sporgasse, Jakoministraße
Zurich; CH; 47.3744; 8.5411; 1.8; Bahnhofstrasse, Langstrasse, Löwenstrasse, Badenerstrasse
Paris; FR; 48.8566; 2.3522; 1.6; Rue de Rivoli, Boulevard Voltaire, Avenue de Clichy, Rue Oberkampf
Lyon; FR; 45.764; 4.8357; 0.9; Rue de la République, Cours Lafayette, Avenue Jean Jaurès, Rue Garibaldi
Amsterdam; NL; 52.3731; 4.8926; 1.3; Damrak, Kinkerstraat, Ferdinand Bolstraat, Rozengracht, Overtoom
Rotterdam; NL; 51.9225; 4.4792; 1; Coolsingel, Witte de Withstraat, Lijnbaan, Nieuwe Binnenweg
Copenhagen; DK; 55.6761; 12.5683; 1.4; Strøget, Vesterbrogade, Nørrebrogade, Amagerbrogade
Warsaw; PL; 52.2297; 21.0122; 0.6; Marszałkowska, Nowy Świat, Puławska, Aleje Jerozolimskie
Prague; CZ; 50.0755; 14.4378; 0.7; Vinohradská, Na Příkopě, Národní, Sokolovská
Madrid; ES; 40.4168; -3.7038; 1; Gran Vía, Calle de Alcalá, Calle de Serrano, Calle de Bravo Murillo
London; GB; 51.5074; -0.1278; 1.9; Oxford Street, Camden High Street, Brixton Road, Kingsland Road, Strand
`,
  ([name = '', country = '', latitude, longitude, priceLevel, streets = '']) => ({
    name,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    priceLevel: Number(priceLevel),
    streets: streets.split(', ') as [string, ...string[]],
  }),
);

/**
 * Type, what follows the street in a screen's name, orientation, width, height, price per day in
 * Berlin, description.
 */
export const venues = rowsOf(
  `
shopping_mall; mall entrance; portrait; 1080; 1920; 3900; Free-standing pillar at the main entrance, seen by everyone who comes in.
train_station; station concourse; landscape; 3840; 2160; 8900; Large wall above the concourse, opposite the departure board.
gym; gym floor; landscape; 1920; 1080; 1500; Screen above the treadmills. Members look at it for half an hour at a time.
cafe; café counter; landscape; 1920; 1080; 900; Behind the counter, in view of the queue.
shop_window; shop window; portrait; 1080; 1920; 1900; Bright window screen that faces the pavement and runs until midnight.
supermarket; supermarket checkout; landscape; 1920; 1080; 2400; Above the checkouts, one picture across three lanes.
cinema; cinema foyer; square; 2160; 2160; 2900; Square wall beside the ticket desk.
petrol_station; petrol station forecourt; portrait; 1080; 1920; 2100; Weatherproof screen between the pumps.
roadside; roadside board; landscape; 2880; 1440; 12900; LED board at a crossing with long red lights.
`,
  ([type = '', label = '', orientation = '', width, height, cents, description = '']) => ({
    type,
    label,
    orientation,
    width: Number(width),
    height: Number(height),
    pricePerDayCents: Number(cents),
    description,
  }),
);

function rowsOf<Row>(table: string, read: (cells: string[]) => Row): [Row, ...Row[]] {
  const rows = table.trim().split('\n');
  return rows.map((row) => read(row.split('; '))) as [Row, ...Row[]];
}
