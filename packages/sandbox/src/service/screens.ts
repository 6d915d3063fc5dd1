import { html } from 'hono/html';
import * as z from 'zod';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { SandboxContext } from '../state/context.ts';
import { SeededRandom } from '../state/random.ts';
import type { StoredScreen } from '../state/stored-records.ts';
import { invalidParameter, pageOfItems, type Routes, recordResponse } from './route.ts';

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
    const { items, pagination } = pageOfItems(context, matching, {
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

/**
 * Section 2.2. Unless usage was set by hand, it depends only on the screen and the period, so that
 * the same request always gets the same response.
 */
function availabilityOf(screen: StoredScreen, from: string, to: string): Record<string, unknown> {
  const drawn = new SeededRandom(seedOf(`${screen.id} ${from} ${to}`)).integer(
    0,
    screen.ad_sov_pct,
  );
  const used = Math.min(screen.used_sov_pct ?? drawn, screen.ad_sov_pct);
  return {
    screen_id: screen.id,
    from,
    to,
    max_sov_pct: screen.ad_sov_pct,
    used_sov_pct: used,
    available_sov_pct: screen.ad_sov_pct - used,
    price_per_day_cents: screen.price_per_day_cents,
  };
}

/** FNV-1a. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}

const hues: Readonly<Record<string, number>> = {
  shopping_mall: 210,
  train_station: 265,
  gym: 150,
  cafe: 28,
  shop_window: 330,
  supermarket: 95,
  cinema: 350,
  petrol_station: 48,
  roadside: 190,
};

/** A picture of a screen: its shape on a stand, in its venue's color, with name and size. */
export function drawScreenThumbnail(screen: StoredScreen) {
  const { width, height } = panelSize(screen);
  const left = (480 - width) / 2;
  const top = 130 - height / 2;
  const hue = hues[screen.venue_type] ?? 220;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" role="img" aria-label="${screen.name}">
<defs>
<linearGradient id="wall" x2="0" y2="1"><stop stop-color="hsl(${hue} 30% 94%)"/><stop offset="1" stop-color="hsl(${hue} 25% 84%)"/></linearGradient>
<linearGradient id="panel" x2="1" y2="1"><stop stop-color="hsl(${hue} 70% 58%)"/><stop offset="1" stop-color="hsl(${hue + 40} 70% 38%)"/></linearGradient>
</defs>
<rect width="480" height="320" fill="url(#wall)"/>
<rect x="234" y="${top + height}" width="12" height="${255 - top - height}" fill="hsl(${hue} 10% 40%)"/>
<rect x="190" y="251" width="100" height="8" rx="4" fill="hsl(${hue} 10% 40%)"/>
<rect x="${left - 6}" y="${top - 6}" width="${width + 12}" height="${height + 12}" rx="8" fill="hsl(${hue} 20% 18%)"/>
<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="3" fill="url(#panel)"/>
<circle cx="${left + width * 0.72}" cy="${top + height * 0.34}" r="${Math.min(width, height) * 0.16}" fill="#fff" opacity=".85"/>
<path d="M${left} ${top + height}l${width * 0.38}-${height * 0.45} ${width * 0.24} ${height * 0.27} ${width * 0.16}-${height * 0.14} ${width * 0.22} ${height * 0.32}z" fill="#fff" opacity=".35"/>
<text x="240" y="288" font-family="system-ui, sans-serif" font-size="17" font-weight="600" text-anchor="middle" fill="hsl(${hue} 30% 20%)">${screen.name}</text>
<text x="240" y="308" font-family="system-ui, sans-serif" font-size="13" text-anchor="middle" fill="hsl(${hue} 15% 35%)">${screen.city} · ${screen.resolution_width} × ${screen.resolution_height}</text>
</svg>
`;
}

export const thumbnailHeaders = {
  'content-type': 'image/svg+xml',
  'cache-control': 'max-age=3600',
};

function panelSize({ resolution_width, resolution_height }: StoredScreen) {
  const scale = Math.min(300 / resolution_width, 200 / resolution_height);
  return {
    width: Math.round(resolution_width * scale),
    height: Math.round(resolution_height * scale),
  };
}
