import * as z from 'zod';
import type { SandboxContext } from '../context.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { StoredScreen } from '../state/stored-records.ts';
import { availabilityOf } from './availability.ts';
import { pageOf } from './page-of.ts';
import { invalidParameter } from './read-input.ts';
import { type Routes, recordResponse } from './route.ts';

const defaultLimit = 50;

export const screenRoutes = {
  'screen.list'({ context, input, origin }) {
    const box = boundingBox.safeParse(input.bbox?.split(',')).data;
    if (input.bbox !== undefined && !box) {
      throw invalidParameter(
        context.variants,
        'bbox must be west,south,east,north in degrees, such as 13.08,52.33,13.76,52.67.',
      );
    }
    const matching = [...context.store.screens.values()].filter(
      (screen) =>
        screen.bookable &&
        sameText(input.country, screen.country) &&
        sameText(input.city, screen.city) &&
        sameText(input.orientation, screen.orientation) &&
        (!box || isInside(box, screen)),
    );
    const { items, pagination } = pageOf(context, matching, {
      cursor: input.cursor,
      limit: input.limit ?? defaultLimit,
    });
    const data = items.map((screen) => screenRecord(screen, origin));
    return Response.json({ data, pagination });
  },
  'screen.get': ({ context, input, origin }) =>
    recordResponse(context, 200, screenRecord(bookableScreen(context, input.screenId), origin)),
  'screen.availability'({ context, input }) {
    const screen = bookableScreen(context, input.screenId);
    return recordResponse(context, 200, availabilityOf(screen, input.from, input.to));
  },
} satisfies Partial<Routes>;

function bookableScreen({ store }: SandboxContext, id: string): StoredScreen {
  const screen = store.screens.get(id);
  if (screen?.bookable) return screen;
  throw new ProblemResponseError('not-found', `There is no screen ${id} that can be booked.`);
}

function sameText(wanted: string | undefined, text: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === text.toLowerCase();
}

export const thumbnailPath = '/thumbnails';

/** A screen as the service shows it (section 2.1). */
function screenRecord(
  { bookable: _bookable, used_sov_pct: _used, position: _position, ...screen }: StoredScreen,
  origin: string,
): Record<string, unknown> {
  return {
    ...screen,
    thumbnail_url: `${origin}${thumbnailPath}/${encodeURIComponent(screen.id)}.svg`,
  };
}

const degrees = (most: number) =>
  z.string().trim().min(1).pipe(z.coerce.number<string>().min(-most).max(most));

/** West, south, east and north. */
const boundingBox = z
  .tuple([degrees(180), degrees(90), degrees(180), degrees(90)])
  .refine(([, south, , north]) => south <= north);

/** A box whose west is east of its east crosses the 180th meridian. */
function isInside(
  [west, south, east, north]: z.output<typeof boundingBox>,
  { latitude, longitude }: StoredScreen,
): boolean {
  const between =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return between && latitude >= south && latitude <= north;
}
