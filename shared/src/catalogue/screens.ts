import * as z from 'zod';
import { date, text } from './field-types.ts';
import { operation } from './operation.ts';

/** Section 2.1. */
export const screen = z
  .looseObject({
    id: z.string().meta({ title: 'Screen ID' }),
    name: z.string().nullish().meta({ title: 'Name' }),
    description: z.string().nullish().meta({ title: 'Description' }),
    country: z.string().nullish().meta({ title: 'Country', description: '2-letter country code' }),
    city: z.string().nullish().meta({ title: 'City' }),
    address: z.string().nullish().meta({ title: 'Address' }),
    latitude: z.number().nullish().meta({ title: 'Latitude' }),
    longitude: z.number().nullish().meta({ title: 'Longitude' }),
    orientation: z.string().nullish().meta({ title: 'Orientation' }),
    resolution_width: z
      .number()
      .nullish()
      .meta({ title: 'Resolution Width', description: 'Pixels' }),
    resolution_height: z
      .number()
      .nullish()
      .meta({ title: 'Resolution Height', description: 'Pixels' }),
    price_per_day_cents: z
      .number()
      .nullish()
      .meta({ title: 'Price per Day', description: 'In cents' }),
    ad_sov_pct: z.number().nullish().meta({ title: 'Share of Ad Time', description: 'In percent' }),
    thumbnail_url: z.string().nullish().meta({ title: 'Thumbnail URL' }),
    venue_type: z.string().nullish().meta({ title: 'Venue Type' }),
    is_active: z.boolean().nullish().meta({ title: 'Is Active' }),
    created_at: z.string().nullish().meta({ title: 'Created At' }),
  })
  .meta({ id: 'Screen' });

export type Screen = z.output<typeof screen>;

/** Section 2.2. */
export const availability = z
  .looseObject({
    screen_id: z.string().meta({ title: 'Screen ID' }),
    from: z.string().nullish().meta({ title: 'From', description: 'Date, YYYY-MM-DD' }),
    to: z.string().nullish().meta({ title: 'To', description: 'Date, YYYY-MM-DD' }),
    max_sov_pct: z.number().nullish().meta({
      title: 'Maximum Share of Ad Time',
      description: 'What can be sold at most, in percent',
    }),
    used_sov_pct: z
      .number()
      .nullish()
      .meta({ title: 'Used Share of Ad Time', description: 'What is already used, in percent' }),
    available_sov_pct: z.number().nullish().meta({
      title: 'Available Share of Ad Time',
      description: 'What is still available, in percent',
    }),
    price_per_day_cents: z
      .number()
      .nullish()
      .meta({ title: 'Price per Day', description: 'In cents' }),
  })
  .meta({ id: 'Availability' });

export type Availability = z.output<typeof availability>;

const screenId = text({
  title: 'Screen',
  description: 'The screen, by the identifier that the list of screens gives in its field id.',
  examples: ['scr_berlin_0001'],
});

export const listScreens = operation({
  name: 'screen.list',
  title: 'List Screens',
  description:
    'Lists the screens that can be booked, optionally only those that match the filters.',
  section: '4.2',
  resource: 'screen',
  method: 'GET',
  path: '/screens',
  scopes: ['screens:read'],
  successStatus: 200,
  answer: 'page',
  repair: 'repeat',
  largestPage: 200,
  input: z.strictObject({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a country code of 2 letters, such as DE')
      .optional()
      .meta({
        title: 'Country',
        description: 'Only screens in this country, as a code of 2 letters.',
        examples: ['DE'],
      }),
    city: text({
      title: 'City',
      description: 'Only screens in this city.',
      examples: ['Berlin'],
    }).optional(),
    orientation: text({
      title: 'Orientation',
      description:
        'Only screens with this orientation. The service does not publish the allowed values: use what the field orientation of a screen shows.',
      examples: ['landscape'],
    }).optional(),
    bbox: text({
      title: 'Bounding Box',
      description:
        'Only screens inside this map area. The service does not publish the format; west, south, east, north in degrees is the usual one.',
      examples: ['13.08,52.33,13.76,52.67'],
    }).optional(),
    limit: z
      .int('must be a whole number from 1 to 200')
      .min(1, 'must be at least 1')
      .max(200, 'must be at most 200')
      .optional()
      .meta({
        title: 'Page Size',
        description: 'How many screens one page holds, 1 to 200. Without it the service sends 50.',
        examples: [200],
      }),
    cursor: text({
      title: 'Cursor',
      description: 'Where to go on: the cursor that the pagination of the page before gave.',
    }).optional(),
  }),
  output: screen,
});

export const getScreen = operation({
  name: 'screen.get',
  title: 'Get Screen',
  description: 'Gets one screen. A screen that does not exist or cannot be booked is not found.',
  section: '4.3',
  resource: 'screen',
  method: 'GET',
  path: '/screens/{screenId}',
  scopes: ['screens:read'],
  successStatus: 200,
  answer: 'record',
  repair: 'repeat',
  input: z.strictObject({ screenId }),
  output: screen,
});

export const getAvailability = operation({
  name: 'screen.availability',
  title: 'Get Screen Availability',
  description:
    'Gets the share of ad time of a screen that is still available between two dates, and the price per day.',
  section: '4.4',
  resource: 'screen',
  method: 'GET',
  path: '/screens/{screenId}/availability',
  scopes: ['screens:read'],
  successStatus: 200,
  answer: 'record',
  repair: 'repeat',
  input: z.strictObject({
    screenId,
    from: date({
      title: 'From',
      description: 'First day of the period, written YYYY-MM-DD.',
      examples: ['2027-03-01'],
    }),
    to: date({
      title: 'To',
      description: 'Last day of the period, written YYYY-MM-DD.',
      examples: ['2027-03-31'],
    }),
  }),
  output: availability,
});
