import type { Client, Screen } from '@screen-advertising/core';
import {
  compoundOperations,
  findNearbyScreens,
  nearbyRecords,
  searchNotes,
} from '@screen-advertising/core/availability';
import { isEmpty, withCurrencyAmounts } from '@screen-advertising/core/forms';
import { isLoopback, maxResponseBytes } from '@screen-advertising/core/platform';
import type {
  Bundle,
  PlainInputField,
  PlainOutputField,
  RawHttpResponse,
  ZObject,
} from 'zapier-platform-core';
import { withDeadline } from './client.ts';
import { inputForEntry } from './fields.ts';
import { maxRedirects, runDeadlineMs } from './limits.ts';
import { isErrorBeforeSending, isUnauthorizedError, redirectedRequestMark } from './transport.ts';

/** The fields of each kind of area. The first is what makes it an area. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  place: ['near', 'radius_km'],
  box: ['bbox'],
};

const kindField: PlainInputField = {
  key: 'area',
  label: 'Area',
  type: 'string',
  required: false,
  altersDynamicFields: true,
  choices: [
    { value: 'place', sample: 'place', label: 'Near a Place' },
    { value: 'box', sample: 'box', label: 'Inside a Bounding Box' },
  ],
  helpText: 'Adds the fields for a place or a box. Default: screens anywhere.',
};

/**
 * A form that asks for an area with one field. The fields of a kind appear once it is chosen. Those
 * with a value stay, since the step uses it whatever is chosen.
 */
export function withArea(fields: readonly PlainInputField[]) {
  const keys = Object.values(kinds).flat();
  const ofArea = fields.filter(({ key }) => keys.includes(key));
  const others = fields.filter(({ key }) => !keys.includes(key));
  const place = fields.findIndex(({ key }) => keys.includes(key));
  const shown = (_z: ZObject, { inputData }: Bundle): PlainInputField[] => {
    const chosen = kinds[String(inputData.area)] ?? [];
    return ofArea
      .filter(({ key }) => chosen.includes(key) || !isEmpty(inputData[key]))
      .map((field) => ({ ...field, required: field.key === chosen[0] }));
  };
  return [...others.slice(0, place), kindField, shown, ...others.slice(place)];
}

export const findNearbyEntry = compoundOperations['screen.findNearby'];

/** Zapier shows nothing beside the records of a search, so each holds how many were left out. */
export const leftOutCountField: PlainOutputField = {
  key: 'screens_without_coordinates',
  label: 'Screens Without Coordinates',
  type: 'integer',
};

/** Adds the number to each record. Without records, only the log can say it. */
export function withLeftOutCount<Item extends object>(
  z: ZObject,
  found: readonly Item[],
  withoutCoordinates: readonly Screen[],
) {
  if (found.length === 0) logLeftOutScreens(z, withoutCoordinates);
  const { length } = withoutCoordinates;
  return found.map((one) => ({ ...one, screens_without_coordinates: length }));
}

/** Zapier shows nothing beside the records of a trigger, and without records there is no run. */
export function logLeftOutScreens(z: ZObject, withoutCoordinates: readonly Screen[] = []): void {
  for (const note of searchNotes({ withoutCoordinates })) z.console.log(note);
}

/**
 * The screens near the place of the step, within the time of one run; undefined without a place.
 * `maxFound` ends the search early, for examples.
 */
export async function findScreensNearStepPlace(
  client: Client,
  read: Readonly<Record<string, unknown>>,
  label: string,
  options: { readonly maxFound?: number } = {},
) {
  const input = inputForEntry(findNearbyEntry, read);
  const { near, radius_km, sort_by } = input as Partial<typeof input>;
  if ((near ?? radius_km) === undefined && sort_by !== 'nearest') return undefined;
  const { screens, ...others } = await withDeadline(client, label, (signal) =>
    findNearbyScreens(client, input, { ...options, signal }),
  );
  return { screens: nearbyRecords(screens), ...others };
}

/** Fetches a screen's picture only when a later step uses it. */
export async function downloadThumbnail(z: ZObject, bundle: Bundle): Promise<string> {
  const response = await follow(z, String(bundle.inputData.url));
  if (response.status !== 200) throw unavailable(z, `status ${response.status}`);
  return z.stashFile(Promise.resolve(response));
}

/** The service may only point to pictures in a file store, which gets no token. */
async function follow(z: ZObject, first: string): Promise<RawHttpResponse> {
  const signal = AbortSignal.timeout(runDeadlineMs);
  let response = await fetchPicture(z, { url: first, signal });
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const target = redirectTarget(response, url);
    if (!target) return response;
    if (redirects === maxRedirects) throw unavailable(z, `more than ${maxRedirects} redirects`);
    if (!isAllowed(target, url)) {
      throw unavailable(z, `a redirect to ${target.origin}, which is not safe to follow`);
    }
    response.body.resume();
    url = target.href;
    response = await fetchPicture(z, { url, signal, ...redirectedRequestMark });
  }
}

interface PictureRequest {
  readonly url: string;
  readonly signal: AbortSignal;
}

async function fetchPicture(z: ZObject, request: PictureRequest): Promise<RawHttpResponse> {
  const options = { ...request, size: maxResponseBytes, redirect: 'manual' } as const;
  return z.request({ ...options, raw: true }).catch((error: unknown) => {
    // Zapier fetches another token and calls again.
    if (isErrorBeforeSending(error)) throw error;
    throw unavailable(z, isUnauthorizedError(error) ? 'status 401' : 'no response');
  });
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget({ status, headers }: RawHttpResponse, url: string): URL | undefined {
  const location = headers.get('location');
  if (!location || !redirectStatuses.has(status) || !URL.canParse(location, url)) return undefined;
  return new URL(location, url);
}

/** No one on the way may see or change the picture, or reach into the machine that fetches it. */
function isAllowed({ protocol, hostname }: URL, from: string): boolean {
  return isLoopback(hostname) ? isLoopback(new URL(from).hostname) : protocol === 'https:';
}

function unavailable(z: ZObject, reason: string): Error {
  return new z.errors.Error(
    `The thumbnail of the screen could not be downloaded (${reason}). Replay the step, or leave the thumbnail out.`,
  );
}

/** Adds the picture as a file, for steps that take files. */
export function withThumbnail<S extends Screen>(z: ZObject, screen: S): S & { thumbnail?: string } {
  const { thumbnail_url: url } = screen;
  if (!url || !/^https?:\/\//.test(url)) return screen;
  try {
    return { ...screen, thumbnail: z.dehydrateFile(downloadThumbnail, { url }) };
  } catch {
    // Zapier stores a few thousand characters. A longer address costs the picture, not the step.
    z.console.log(`A thumbnail was left out: its address has ${url.length} characters.`);
    return screen;
  }
}

/** The screen of a record that has its ID beside it. */
export function fetchScreenOfRecord(z: ZObject, screen: Screen): object {
  const { id: _id, ...described } = withThumbnail(z, withCurrencyAmounts(screen));
  return described;
}
