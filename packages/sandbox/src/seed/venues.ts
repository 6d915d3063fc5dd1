export interface Venue {
  readonly type: string;
  /** Follows the street in a screen's name: `Torstraße shop window`. */
  readonly label: string;
  readonly orientation: 'landscape' | 'portrait' | 'square';
  readonly width: number;
  readonly height: number;
  /** In Berlin. */
  readonly pricePerDayCents: number;
  readonly description: string;
}

export const venues: readonly [Venue, ...Venue[]] = [
  {
    type: 'shopping_mall',
    label: 'mall entrance',
    orientation: 'portrait',
    width: 1080,
    height: 1920,
    pricePerDayCents: 3900,
    description: 'Free-standing pillar at the main entrance, seen by everyone who comes in.',
  },
  {
    type: 'train_station',
    label: 'station concourse',
    orientation: 'landscape',
    width: 3840,
    height: 2160,
    pricePerDayCents: 8900,
    description: 'Large wall above the concourse, opposite the departure board.',
  },
  {
    type: 'gym',
    label: 'gym floor',
    orientation: 'landscape',
    width: 1920,
    height: 1080,
    pricePerDayCents: 1500,
    description: 'Screen above the treadmills. Members look at it for half an hour at a time.',
  },
  {
    type: 'cafe',
    label: 'café counter',
    orientation: 'landscape',
    width: 1920,
    height: 1080,
    pricePerDayCents: 900,
    description: 'Behind the counter, in view of the queue.',
  },
  {
    type: 'shop_window',
    label: 'shop window',
    orientation: 'portrait',
    width: 1080,
    height: 1920,
    pricePerDayCents: 1900,
    description: 'Bright window screen that faces the pavement and runs until midnight.',
  },
  {
    type: 'supermarket',
    label: 'supermarket checkout',
    orientation: 'landscape',
    width: 1920,
    height: 1080,
    pricePerDayCents: 2400,
    description: 'Above the checkouts, one picture across three lanes.',
  },
  {
    type: 'cinema',
    label: 'cinema foyer',
    orientation: 'square',
    width: 2160,
    height: 2160,
    pricePerDayCents: 2900,
    description: 'Square wall beside the ticket desk.',
  },
  {
    type: 'petrol_station',
    label: 'petrol station forecourt',
    orientation: 'portrait',
    width: 1080,
    height: 1920,
    pricePerDayCents: 2100,
    description: 'Weatherproof screen between the pumps.',
  },
  {
    type: 'roadside',
    label: 'roadside board',
    orientation: 'landscape',
    width: 2880,
    height: 1440,
    pricePerDayCents: 12900,
    description: 'LED board at a crossing with long red lights.',
  },
];
