import { describe, expect, it } from '@jest/globals';
import {
  type Coordinates,
  greatCircleDistance,
  parseCoordinates,
} from '@screen-advertising/core/forms';

/** The mean radius of the Earth (IUGG). */
const radiusKm = 6371.0088;

const berlin = { latitude: 52.52, longitude: 13.405 };

describe('coordinates', () => {
  it.each([
    '52.5200, 13.4050',
    '52.52,13.405',
    ' 52.52 13.405 ',
    '(52.52; 13.405)',
    '+52.52\t+13.405',
    { latitude: 52.52, longitude: 13.405 },
    { latitude: '52.52', longitude: '13.405', accuracy: 10 },
  ])('can be written %j', (given) => {
    const read = parseCoordinates(given) as Coordinates;
    expect(read.latitude).toBeCloseTo(berlin.latitude, 12);
    expect(read.longitude).toBeCloseTo(berlin.longitude, 12);
  });

  it.each([
    ['-33.8688, 151.2093', -33.8688, 151.2093],
    ['\u221233.8688, 151.2093', -33.8688, 151.2093],
    ['90, 180', 90, 180],
    ['-90, -180', -90, -180],
  ])('in %j are %d and %d', (given, latitude, longitude) => {
    expect(parseCoordinates(given)).toEqual({ latitude, longitude });
  });

  const both = 'must be a latitude and a longitude as maps copy them, such as 52.5200, 13.4050';
  const place = 'must be text such as 52.5200, 13.4050';
  const members = 'must have a latitude and a longitude, in degrees';
  const points = 'must have decimal points, not commas, such as 52.5200, 13.4050';
  it.each([
    ['52.52', 'must be two numbers, latitude and longitude, such as 52.5200, 13.4050'],
    [52.52, place],
    [[52.52, 13.405], members],
    [{ lat: 52.52, lng: 13.405 }, members],
    ['52,52; 13,405', points],
    [
      '113.4, 52.5',
      'has the latitude 113.4, which must be from -90 to 90. Latitude comes first: the two may be swapped',
    ],
    ['520, 13.4', 'has the latitude 520, which must be from -90 to 90'],
    ['52.5, 180.01', 'has the longitude 180.01, which must be from -180 to 180'],
    ['', both],
    ['Berlin', both],
    ['1 2 3 4', both],
    ['52.5200° N, 13.4050° E', both],
    [`52°31'12"N 13°24'18"E`, both],
    ['33.8688 S, 151.2093 E', both],
    ['5e1, 13', both],
    [null, place],
    [{ latitude: '52,52', longitude: 13.405 }, members],
    // GeoJSON starts with the longitude.
    [{ latitude: Number.NaN, longitude: 13 }, members],
  ])('%j is refused: it %s', (given, message) => {
    expect(parseCoordinates(given)).toBe(message);
  });

  it.each([
    ['a quarter of a meridian', [0, 0], [90, 0], (Math.PI / 2) * radiusKm],
    ['pole to pole', [90, 20], [-90, -70], Math.PI * radiusKm],
    ['across the date line', [0, 179.5], [0, -179.5], (Math.PI / 180) * radiusKm],
    ['opposite sides', [0, 0], [0, 180], Math.PI * radiusKm],
  ])('%s', (_what, [a = 0, b = 0], [c = 0, d = 0], expected) => {
    const distance = greatCircleDistance(
      { latitude: a, longitude: b },
      { latitude: c, longitude: d },
    ).km;
    expect(distance).toBeCloseTo(expected, 9);
  });

  it.each([
    ['north', [0, 0], [1, 0], 0, 1],
    ['east', [0, 0], [0, 1], 1, 0],
    ['east across the date line', [0, 179.5], [0, -179.5], 1, 0],
  ])('lie to the %s', (_where, [a = 0, b = 0], [c = 0, d = 0], toEast, toNorth) => {
    const from = { latitude: a, longitude: b };
    const { east, north } = greatCircleDistance(from, { latitude: c, longitude: d });
    const length = Math.hypot(east, north);
    expect(east / length).toBeCloseTo(toEast, 12);
    expect(north / length).toBeCloseTo(toNorth, 12);
  });

  it('lie about as far apart as cities do', () => {
    const munich = { latitude: 48.1374, longitude: 11.5755 };
    expect(Math.round(greatCircleDistance(berlin, munich).km)).toBe(504);
  });
});
