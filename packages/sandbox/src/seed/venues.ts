export interface Venue {
  readonly type: string;
  /** Follows the street in a screen's name: `Torstraße shop window`. */
  readonly label: string;
  readonly orientation: string;
  readonly width: number;
  readonly height: number;
  /** In Berlin. */
  readonly pricePerDayCents: number;
  readonly description: string;
}

/** The fields of a venue in the order of the interface. */
const table = `
shopping_mall; mall entrance; portrait; 1080; 1920; 3900; Free-standing pillar at the main entrance, seen by everyone who comes in.
train_station; station concourse; landscape; 3840; 2160; 8900; Large wall above the concourse, opposite the departure board.
gym; gym floor; landscape; 1920; 1080; 1500; Screen above the treadmills. Members look at it for half an hour at a time.
cafe; café counter; landscape; 1920; 1080; 900; Behind the counter, in view of the queue.
shop_window; shop window; portrait; 1080; 1920; 1900; Bright window screen that faces the pavement and runs until midnight.
supermarket; supermarket checkout; landscape; 1920; 1080; 2400; Above the checkouts, one picture across three lanes.
cinema; cinema foyer; square; 2160; 2160; 2900; Square wall beside the ticket desk.
petrol_station; petrol station forecourt; portrait; 1080; 1920; 2100; Weatherproof screen between the pumps.
roadside; roadside board; landscape; 2880; 1440; 12900; LED board at a crossing with long red lights.
`;

export const venues = table.trim().split('\n').map(readVenue) as [Venue, ...Venue[]];

function readVenue(row: string): Venue {
  const [type = '', label = '', orientation = '', ...rest] = row.split('; ');
  const [width, height, pricePerDayCents, description = ''] = rest;
  return {
    type,
    label,
    orientation,
    width: Number(width),
    height: Number(height),
    pricePerDayCents: Number(pricePerDayCents),
    description,
  };
}
