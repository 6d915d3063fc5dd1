import * as z from 'zod/mini';
import {
  booleanOutput,
  dateField,
  identifierField,
  integerField,
  matchesPattern,
  numberOutput,
  optionalField,
  textField,
  textOutput,
  toIsNotBeforeFrom,
  withFormMeta,
} from './field-types.ts';
import { defineOperation, defineResource } from './operation.ts';

/** Section 2.1. */
export const screenSchema = z
  .looseObject({
    id: z.string().check(z.meta({ title: 'Screen ID', description: 'ID of the screen' })),
    name: textOutput('Name', 'Name of the screen'),
    description: textOutput('Description', 'What the screen is like'),
    country: textOutput('Country', '2-letter country code'),
    city: textOutput('City', 'City where the screen is'),
    address: textOutput('Address', 'Address of the screen'),
    latitude: numberOutput('Latitude', 'In degrees'),
    longitude: numberOutput('Longitude', 'In degrees'),
    orientation: textOutput('Orientation', 'In the words of the service, such as landscape'),
    resolution_width: numberOutput('Resolution Width', 'In pixels', 'pixels'),
    resolution_height: numberOutput('Resolution Height', 'In pixels', 'pixels'),
    price_per_day_cents: numberOutput('Price per Day', 'In cents', 'cents'),
    ad_sov_pct: numberOutput('Share of Voice', 'Share of ad time (SOV), in percent', 'percent'),
    thumbnail_url: textOutput('Thumbnail URL', 'URL of a picture of the screen'),
    venue_type: textOutput('Venue Type', 'Kind of place, in the words of the service'),
    is_active: booleanOutput('Is Active', 'Whether the screen is active'),
    created_at: textOutput('Created At', 'When the screen was added'),
  })
  .check(z.meta({ title: 'Screen' }));

/** Section 2.2. */
export const availabilitySchema = z
  .looseObject({
    screen_id: z.string().check(z.meta({ title: 'Screen ID', description: 'ID of the screen' })),
    from: textOutput('From', 'Date, YYYY-MM-DD'),
    to: textOutput('To', 'Date, YYYY-MM-DD'),
    max_sov_pct: numberOutput(
      'Maximum Share of Voice',
      'The most that can be sold, in percent',
      'percent',
    ),
    used_sov_pct: numberOutput('Used Share of Voice', 'Already used, in percent', 'percent'),
    available_sov_pct: numberOutput(
      'Available Share of Voice',
      'Still available, in percent',
      'percent',
    ),
    price_per_day_cents: numberOutput('Price per Day', 'In cents', 'cents'),
  })
  .check(z.meta({ title: 'Availability' }));

const screenId = identifierField({
  title: 'Screen',
  description: 'The ID of the screen, from the id field of a screen.',
  examples: ['scr_berlin_0001'],
});

const screenSample = {
  id: 'scr_berlin_0001',
  name: 'Central Station, Main Hall',
  description: 'Large display above the main stairs.',
  country: 'DE',
  city: 'Berlin',
  address: 'Europaplatz 1',
  latitude: 52.525,
  longitude: 13.369,
  orientation: 'landscape',
  resolution_width: 1920,
  resolution_height: 1080,
  price_per_day_cents: 12900,
  ad_sov_pct: 10,
  thumbnail_url: 'https://service.example/thumbnails/scr_berlin_0001.png',
  venue_type: 'train_station',
  is_active: true,
  created_at: '2026-01-15T09:00:00Z',
};

const resource = defineResource('Screen', 'Screens', 'Bookable screens and their availability.');

const listScreens = defineOperation({
  name: 'screen.list',
  title: 'List Screens',
  description: 'Lists the screens that can be booked, with optional filters.',
  section: '4.2',
  resource,
  method: 'GET',
  path: '/screens',
  scopes: ['screens:read'],
  successStatus: 200,
  responseShape: 'page',
  largestPage: 200,
  input: z.strictObject({
    country: optionalField(
      z.string('must be text').check(
        ...matchesPattern(/^[A-Za-z]{2}$/, 'must be a 2-letter country code, such as DE'),
        z.meta({
          title: 'Country',
          description: 'Only screens in this country, as a 2-letter code.',
          examples: ['DE'],
        }),
        withFormMeta({ holds: 'country' }),
      ),
      'widens',
    ),
    city: optionalField(
      textField({
        title: 'City',
        description: 'Only screens in this city.',
        examples: ['Berlin'],
      }),
      'widens',
    ),
    orientation: optionalField(
      textField({
        title: 'Orientation',
        description:
          'Only screens with this orientation, spelled as in the orientation field of a screen, such as landscape.',
        examples: ['landscape'],
      }),
      'widens',
    ),
    bbox: optionalField(
      textField({
        title: 'Bounding Box',
        description: 'Only screens inside this map area: west, south, east, and north in degrees.',
        examples: ['13.08,52.33,13.76,52.67'],
      }),
      'widens',
    ),
    limit: optionalField(
      integerField(1, 200, {
        title: 'Page Size',
        description: 'Screens per page, 1 to 200. Default: 50.',
        examples: [200],
      }),
      'is harmless',
    ),
    cursor: optionalField(
      textField({
        title: 'Cursor',
        description: 'Where to continue: pagination.cursor of the previous page.',
      }),
      'is harmless',
    ),
  }),
  output: screenSchema,
  sample: screenSample,
});

const getScreen = defineOperation({
  name: 'screen.get',
  title: 'Get Screen',
  description: 'Gets a screen by its ID. A screen that cannot be booked counts as not found.',
  section: '4.3',
  resource,
  method: 'GET',
  path: '/screens/{screenId}',
  scopes: ['screens:read'],
  successStatus: 200,
  responseShape: 'record',
  input: z.strictObject({
    screenId,
  }),
  output: screenSchema,
  sample: screenSample,
});

const getAvailability = defineOperation({
  name: 'screen.availability',
  title: 'Get Screen Availability',
  description:
    'Gets the share of voice still available on a screen between two dates, and the price per day.',
  section: '4.4',
  resource,
  method: 'GET',
  path: '/screens/{screenId}/availability',
  scopes: ['screens:read'],
  successStatus: 200,
  responseShape: 'record',
  input: z
    .strictObject({
      screenId,
      from: dateField({
        title: 'From',
        description: 'First day of the period, as YYYY-MM-DD.',
        examples: ['2027-03-01'],
      }),
      to: dateField({
        title: 'To',
        description: 'Last day of the period, as YYYY-MM-DD.',
        examples: ['2027-03-31'],
      }),
    })
    .check(toIsNotBeforeFrom),
  output: availabilitySchema,
  sample: {
    screen_id: 'scr_berlin_0001',
    from: '2027-03-01',
    to: '2027-03-31',
    max_sov_pct: 50,
    used_sov_pct: 20,
    available_sov_pct: 30,
    price_per_day_cents: 12900,
  },
});

export const screenOperations = {
  list: listScreens,
  get: getScreen,
  availability: getAvailability,
} as const;
