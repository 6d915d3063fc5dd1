import { readNumber } from '../json.ts';

/** A point on Earth, in decimal degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const wanted = 'such as 52.5200, 13.4050';
const wrongKind = `must be text ${wanted}`;
const wrongObject = 'must have a latitude and a longitude, in degrees';
const unreadable = `must be a latitude and a longitude as maps copy them, ${wanted}`;

/** Two numbers, maybe in parentheses. */
const pair = /^\(?([+-]?\d+(?:\.\d+)?)[\s,;]+([+-]?\d+(?:\.\d+)?)\)?$/;

/**
 * Reads coordinates as maps copy them, such as `52.5200, 13.4050`, or as an object. Returns what is
 * wrong with any other value.
 */
export function parseCoordinates(given: unknown): Coordinates | string {
  if (typeof given === 'object' && given !== null) {
    const { latitude, longitude } = given as { latitude?: unknown; longitude?: unknown };
    const place = inRange(readNumber(latitude), readNumber(longitude));
    return place === unreadable ? wrongObject : place;
  }
  if (given === undefined) return `is required: a place ${wanted}`;
  if (typeof given !== 'string') return wrongKind;
  const text = given.replaceAll('\u2212', '-').trim();
  const [, latitude, longitude] = pair.exec(text) ?? [];
  if (latitude) return inRange(Number(latitude), Number(longitude));
  const { length: numbers } = text.match(/\d+(?:\.\d+)?/g) ?? [];
  if (numbers === 1) return `must be two numbers, latitude and longitude, ${wanted}`;
  if (numbers > 2 && /\d,\d/.test(text)) return `must have decimal points, not commas, ${wanted}`;
  return unreadable;
}

function inRange(latitude = Number.NaN, longitude = Number.NaN): Coordinates | string {
  if (Number.isNaN(latitude + longitude)) return unreadable;
  if (Math.abs(latitude) > 90) {
    const isSwapped = Math.abs(latitude) <= 180 && Math.abs(longitude) <= 90;
    const hint = isSwapped ? '. Latitude comes first: the two may be swapped' : '';
    return `has the latitude ${latitude}, which must be from -90 to 90${hint}`;
  }
  if (Math.abs(longitude) <= 180) return { latitude, longitude };
  return `has the longitude ${longitude}, which must be from -180 to 180`;
}

/** Mean radius of the Earth, in kilometers. */
const earthRadiusKm = 6371.0088;
const radian = Math.PI / 180;

/**
 * The great-circle distance in kilometers, and how far it starts toward the east and the north, both
 * on the same scale. This formula of Vincenty's stays exact for points that are close together, and
 * for opposite ones. Searches compute it for each screen, so it creates no arrays.
 */
export function greatCircleDistance(from: Coordinates, to: Coordinates) {
  const a = from.latitude * radian;
  const b = to.latitude * radian;
  const turn = (to.longitude - from.longitude) * radian;
  const across = Math.cos(b) * Math.cos(turn);
  const east = Math.cos(b) * Math.sin(turn);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * across;
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * across;
  const km = earthRadiusKm * Math.atan2(Math.sqrt(east * east + north * north), cosine);
  return { km, east, north };
}
