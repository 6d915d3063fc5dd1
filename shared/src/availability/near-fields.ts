import * as z from 'zod/mini';
import { type Coordinates, parseCoordinates } from '../catalogue/coordinates.ts';
import {
  atLeast,
  atMost,
  choice,
  forForms,
  type OptionalField,
  optional,
} from '../catalogue/field-types.ts';

/** In forms and documents it is a text; code may pass the coordinates themselves. */
export const near = z.unknown().check(
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
  forForms({ holds: 'coordinates' }),
) as z.ZodMiniType<string | Coordinates, string | Coordinates>;

/** Half the circumference of the Earth, rounded up: everything is nearer. */
const farthestKm = 20_016;

export const nearFields = {
  near: optional(near, 'widens'),
  radius_km: optional(
    z.number('must be a number').check(
      ...atLeast(0),
      ...atMost(farthestKm, ', which reaches every screen'),
      z.meta({
        title: 'Radius in Kilometers',
        description:
          'Only screens at most this far from Near, in kilometers, as the crow flies. Default: any distance.',
        examples: [2],
      }),
      forForms({ unit: 'kilometers' }),
    ),
    'widens',
  ),
};

/** `otherwise`: the order of a search that names no place. */
export const sortBy = (
  otherwise: string,
): OptionalField<z.ZodMiniType<'nearest' | 'cheapest', 'nearest' | 'cheapest'>> =>
  optional(
    choice(
      { nearest: 'Nearest First', cheapest: 'Cheapest First' },
      {
        title: 'Sort By',
        description: `Which screens come first. Default: the nearest with Near, else ${otherwise}.`,
      },
    ),
    'is harmless',
  );

/** A distance needs a place. */
export const placeForDistance = z.refine<Readonly<Record<string, unknown>>>(
  ({ near: place, radius_km, sort_by }) =>
    place !== undefined || (radius_km === undefined && sort_by !== 'nearest'),
  { path: ['near'], error: 'is required with a radius, and to sort by distance' },
);
