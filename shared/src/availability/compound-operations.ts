import * as z from 'zod/mini';
import { type Coordinates, parseCoordinates } from '../catalogue/coordinates.ts';
import {
  amountField,
  atLeast,
  atMost,
  choiceField,
  numberField,
  numberOutput,
  type OptionalField,
  optionalField,
  textOutput,
  toIsNotBeforeFrom,
  withFormMeta,
} from '../catalogue/field-types.ts';
import {
  defineCompoundOperation,
  type NoDifferences,
  type SchemaDifferences,
} from '../catalogue/operation.ts';
import { availabilitySchema, screenOperations, screenSchema } from '../catalogue/screens.ts';
import type { CompoundOperations } from '../types/availability.ts';

/** In forms and documents it is a text; code may pass the coordinates themselves. */
const near = z.unknown().check(
  z.refine((value) => typeof parseCoordinates(value) === 'object', {
    error: ({ input }) => String(parseCoordinates(input)),
  }),
  z.meta({
    type: 'string',
    title: 'Near',
    description:
      'Only screens near this place: its latitude and longitude as maps copy them, such as 52.5200, 13.4050. Adds the distance to each screen.',
    examples: ['52.5200, 13.4050'],
  }),
  withFormMeta({ holds: 'coordinates' }),
) as z.ZodMiniType<string | Coordinates, string | Coordinates>;

/** Half the circumference of the Earth, rounded up: everything is nearer. */
const farthestKm = 20_016;

const nearFields = {
  near: optionalField(near, 'widens'),
  radius_km: optionalField(
    z.number('must be a number').check(
      ...atLeast(0),
      ...atMost(farthestKm, ', which reaches every screen'),
      z.meta({
        title: 'Radius in Kilometers',
        description:
          'Only screens at most this far from Near, in kilometers, as the crow flies. Default: any distance.',
        examples: [2],
      }),
      withFormMeta({ unit: 'kilometers' }),
    ),
    'widens',
  ),
};

/** `otherwise`: the order of a search that names no place. */
const sortBy = (
  otherwise: string,
): OptionalField<z.ZodMiniType<'nearest' | 'cheapest', 'nearest' | 'cheapest'>> =>
  optionalField(
    choiceField(
      { nearest: 'Nearest First', cheapest: 'Cheapest First' },
      {
        title: 'Sort By',
        description: `Which screens come first. Default: the nearest with Near, else ${otherwise}.`,
      },
    ),
    'is harmless',
  );

/** A distance needs a place. */
const placeForDistance = z.refine<Readonly<Record<string, unknown>>>(
  ({ near: place, radius_km, sort_by }) =>
    place !== undefined || (radius_km === undefined && sort_by !== 'nearest'),
  { path: ['near'], error: 'is required with a radius, and to sort by distance' },
);

const { country, city, orientation, bbox } = screenOperations.list.input.shape;
const { from, to } = screenOperations.availability.input.shape;

/** Which screens: the filters of the list. */
const filters = { country, city, orientation, bbox };
const where = { ...nearFields, ...filters };

/** No screen can cross such a share in this direction, so watching it would report nothing. */
const canBeCrossed = (change: string, share: number, error: string) =>
  z.refine<{ change?: unknown; share_pct?: unknown }>(
    (given) => given.change !== change || given.share_pct !== share,
    { path: ['share_pct'], error },
  );

const distance = {
  distance_km: numberOutput('Distance', 'From Near, in kilometers', 'kilometers'),
};

/** The availability (section 2.2) with its screen. */
const ofScreen = {
  ...availabilitySchema.shape,
  ...distance,
  screen: screenSchema.check(z.meta({ title: 'Screen', description: 'The screen itself' })),
};

const sampleOfScreen = {
  ...screenOperations.availability.sample,
  screen: screenOperations.get.sample,
};

const findAvailable = defineCompoundOperation({
  name: 'screen.findAvailable',
  title: 'Find Available Screens',
  description:
    'Finds screens that are available between two dates, also near a place, with the price for the whole period.',
  resource: screenOperations.list.resource,
  scopes: ['screens:read'],
  input: z
    .strictObject({
      from,
      to,
      ...where,
      min_available_sov_pct: optionalField(
        numberField(0, {
          title: 'Minimum Available Share of Voice',
          description:
            'Only screens with at least this share of voice (share of ad time) available, in percent. Default: any screen not sold out.',
          examples: [10],
          unit: 'percent',
        }).check(...atMost(100)),
        'widens',
      ),
      budget_cents: optionalField(
        amountField({
          title: 'Budget',
          description:
            'Only screens that cost at most this much for the whole period. Applies to each screen separately.',
          examples: [400000],
        }),
        'widens',
      ),
      sort_by: sortBy('the cheapest'),
    })
    .check(toIsNotBeforeFrom, placeForDistance),
  output: z
    .looseObject({
      ...ofScreen,
      days: numberOutput('Days', 'Length of the period, including its first and last day', 'days'),
      total_price_cents: numberOutput('Total Price', 'For the whole period, in cents', 'cents'),
    })
    .check(z.meta({ title: 'Available Screen' })),
  sample: { ...sampleOfScreen, days: 31, total_price_cents: 399900 },
});

const availabilityChanged = defineCompoundOperation({
  name: 'screen.availabilityChanged',
  title: 'Screen Availability Changed',
  description:
    'Triggers when the available share of voice of a screen rises above or falls below a threshold.',
  resource: screenOperations.list.resource,
  scopes: ['screens:read'],
  input: z
    .strictObject({
      change: choiceField(
        { rises_above: 'Rises Above', falls_below: 'Falls Below', either: 'Either' },
        {
          title: 'Change',
          description: 'Which way the available share of voice must cross the threshold.',
        },
      ),
      share_pct: z.number('must be a number').check(
        ...atLeast(0),
        ...atMost(100),
        z.meta({
          title: 'Threshold',
          description:
            'The available share of voice (share of ad time) to cross, in percent. A screen exactly at the threshold has not crossed it.',
          examples: [10],
        }),
        withFormMeta({ unit: 'percent' }),
      ),
      from,
      to,
      ...where,
    })
    .check(
      toIsNotBeforeFrom,
      placeForDistance,
      canBeCrossed('falls_below', 0, 'must not be 0, because no share falls below 0'),
      canBeCrossed('rises_above', 100, 'must not be 100, because no share rises above 100'),
    ),
  output: z
    .looseObject({
      change: textOutput('Change', 'rises_above or falls_below'),
      share_pct: numberOutput('Threshold', 'In percent', 'percent'),
      previous_available_sov_pct: numberOutput(
        'Previous Available Share of Voice',
        'Value at the previous check, in percent',
        'percent',
      ),
      ...ofScreen,
    })
    .check(z.meta({ title: 'Availability Change' })),
  sample: {
    change: 'rises_above',
    share_pct: 10,
    previous_available_sov_pct: 5,
    ...sampleOfScreen,
  },
});

const findNearby = defineCompoundOperation({
  name: 'screen.findNearby',
  title: 'Find Nearby Screens',
  description: 'Finds the screens near a place, nearest first, with the distance to each.',
  resource: screenOperations.list.resource,
  scopes: ['screens:read'],
  input: z.strictObject({
    ...nearFields,
    near,
    ...filters,
    sort_by: sortBy("in the service's order"),
  }),
  output: z
    .looseObject({ ...screenSchema.shape, ...distance })
    .check(z.meta({ title: 'Nearby Screen' })),
  sample: { ...screenOperations.list.sample, distance_km: 2.498 },
});

const entries = {
  'screen.findNearby': findNearby,
  'screen.findAvailable': findAvailable,
  'screen.availabilityChanged': availabilityChanged,
};

/** Searches and triggers that combine several operations of the partner interface, by name. */
export const compoundOperations: CompoundOperations = entries;
// The compiler names an interface that differs from its schema.
[] satisfies NoDifferences<SchemaDifferences<CompoundOperations, typeof entries>>;

/** The name of one, such as `screen.findAvailable`. */
export type CompoundOperationName = keyof CompoundOperations;
