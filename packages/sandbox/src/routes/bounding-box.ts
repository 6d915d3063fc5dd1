export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Reads `west,south,east,north` in degrees; undefined for anything else. */
export function readBoundingBox(text: string): BoundingBox | undefined {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west, south, east, north] = parts;
  if (parts.length !== 4 || west === undefined || south === undefined) return undefined;
  if (east === undefined || north === undefined) return undefined;
  const fits =
    Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north;
  return fits ? { west, south, east, north } : undefined;
}

/** A box whose west is east of its east crosses the 180th meridian. */
export function isInside(
  { west, south, east, north }: BoundingBox,
  { latitude, longitude }: { latitude: number; longitude: number },
): boolean {
  const between =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return between && latitude >= south && latitude <= north;
}
