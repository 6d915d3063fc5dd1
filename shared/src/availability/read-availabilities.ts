import { refuseUnknownOptions } from '#habits';
import { noCallerLeftReason } from '../abort.ts';
import { screenOperations } from '../catalogue/screens.ts';
import { checkCount } from '../client/options.ts';
import type { Client } from '../create-client.ts';
import { ScreenAdvertisingError } from '../errors/screen-advertising-error.ts';
import { readNumber, recordId } from '../json.ts';
import type { Availability, Screen } from '../types/screens.ts';
import {
  type DistanceField,
  type NearbyFilter,
  NearbyScreenPicker,
  sortByScreenId,
} from './find-nearby-screens.ts';

/** How to read the availability of many screens. */
export interface ReadAvailabilitiesOptions {
  /** Stops the work at any moment; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How many screens to read at a time; default 20. The client's rate limit applies as well. */
  readonly concurrency?: number;
  /** Refuses to read more screens than this, for callers with little time. */
  readonly maxScreens?: number;
  /**
   * Milliseconds for everything in the search, after which it rejects. Default: that of the client.
   */
  readonly deadlineMs?: number | undefined;
  /** Ends the search, not with an error but with what was read until then. */
  readonly until?: AbortSignal | undefined;
}

/** A pass over many screens that may take several runs. */
export interface AvailabilityPassOptions extends ReadAvailabilitiesOptions {
  /** IDs of the screens that earlier runs of the pass have read; they are left out. */
  readonly done?: readonly string[] | undefined;
}

interface Filters extends NearbyFilter {
  readonly from: string;
  readonly to: string;
  readonly country?: string | undefined;
  readonly city?: string | undefined;
  readonly orientation?: string | undefined;
  readonly bbox?: string | undefined;
}

/** A screen with its availability. */
export interface AvailabilityReading {
  readonly screen: Screen;
  readonly availability: Availability;
  /** `available_sov_pct` as a number. */
  readonly share: number;
  /** How far away the screen is, if the search is near a place. */
  readonly distance?: DistanceField;
}

/** A screen whose availability could not be read, and why. */
export interface ScreenFailure {
  readonly screen: Screen;
  readonly error: ScreenAdvertisingError;
}

/** What a search needs of a client. */
export type SearchClient = Pick<Client, 'call' | 'items' | 'startDeadline'>;

/** In no particular order. */
interface Readings<Kept> {
  /** Whether every screen was read: false if `until` ended the search. */
  readonly isWhole: boolean;
  readonly kept: Kept[];
  /** By screen ID. */
  readonly failures: ScreenFailure[];
  /** Left out of a search near a place. */
  readonly withoutCoordinates: Screen[];
  /** Left out: the service listed them, and then said that it has no such screen (section 4.3). */
  readonly notBookable: Screen[];
  /** Left out of a search near a place: those beyond its radius. */
  readonly beyond: NearbyScreenPicker['beyond'];
  /** IDs of the screens that the pass has read, if `until` ended it; empty after a whole pass. */
  readonly done: readonly string[];
}

const optionNames: readonly (keyof AvailabilityPassOptions)[] = [
  'signal',
  'concurrency',
  'maxScreens',
  'deadlineMs',
  'until',
  'done',
];
const defaultConcurrency = 20;

/** These errors affect the access, not one screen: every other screen would meet them too. */
const fatal: ReadonlySet<string> = new Set([
  'authentication_failed',
  'missing_scope',
  'invalid_configuration',
  'rate_limited',
]);

/**
 * Lists the screens and reads the availability of each, several at a time, while the list is still
 * being read. Collects what `keep` returns for each screen, if anything. When `keep` throws one of
 * this package's errors, the screen counts as failed. Rejects when the list cannot be read
 * completely, when the access is refused or its rate limit is reached, and with any error that the
 * platform itself throws. Also when `until` ends it before any screen was read.
 */
export async function readAvailabilities<Kept>(
  title: string,
  client: SearchClient,
  { from, to, near, radius_km, ...filters }: Filters,
  options: AvailabilityPassOptions,
  keep: (reading: AvailabilityReading) => Kept | undefined,
): Promise<Readings<Kept>> {
  refuseUnknownOptions(options, 'the search', optionNames);
  const { until, concurrency = defaultConcurrency } = options;
  const { maxScreens = Number.POSITIVE_INFINITY, done = [] } = options;
  checkCount('concurrency', concurrency);
  const kept: Kept[] = [];
  const failures: ScreenFailure[] = [];
  const notBookable: Screen[] = [];
  const read: string[] = [];
  const nearby = new NearbyScreenPicker({ near, radius_km });
  const ask = async ({ screen, distance }: Listed, stop: AbortSignal): Promise<void> => {
    try {
      const reading = await readAvailability(client, screen, { from, to }, stop);
      const result = keep({ ...reading, distance });
      if (result !== undefined) kept.push(result);
    } catch (error) {
      if (stop.aborted || !ScreenAdvertisingError.isInstance(error) || fatal.has(error.code)) {
        throw error;
      }
      // A 404 without a problem document is not from the service.
      if (error.code === 'not_found' && error.problem) notBookable.push(screen);
      else failures.push({ screen, error });
    }
    read.push(recordId(screen) ?? '');
  };
  const { signal, stop: end } = client.startDeadline(title, options);
  const isWhole = await inParallel(
    (stop) => {
      const list = client.items(screenOperations.list, filters, { signal: stop });
      return listed(list, nearby, { maxScreens, done });
    },
    ask,
    { concurrency, signal: AbortSignal.any([signal, until].filter((one) => one !== undefined)) },
  )
    .then(
      () => true,
      (error: unknown) => {
        if (until?.aborted && error === until.reason && read.length > 0) return false;
        throw error;
      },
    )
    .finally(end);
  nearby.assertLocated();
  failures.sort(sortByScreenId);
  const { withoutCoordinates, beyond } = nearby;
  return {
    isWhole,
    beyond,
    kept,
    failures,
    withoutCoordinates,
    notBookable,
    done: isWhole ? [] : [...done, ...read],
  };
}

/** Reads one screen's availability. Rejects as `call` does, and when the share is not a number. */
export async function readAvailability(
  client: Pick<Client, 'call'>,
  screen: Screen,
  { from, to }: Pick<Filters, 'from' | 'to'>,
  signal?: AbortSignal,
): Promise<AvailabilityReading> {
  const input = { screenId: recordId(screen) ?? screen.id, from, to };
  const availability = await client.call(screenOperations.availability, input, { signal });
  return { screen, availability, share: shareOf(screen, availability) };
}

type Listed = Required<Pick<AvailabilityReading, 'screen' | 'distance'>>;

/**
 * Yields each screen once that is near enough: a list that shifts between requests may hold a
 * screen twice.
 */
async function* listed(
  screens: AsyncIterable<Screen>,
  nearby: NearbyScreenPicker,
  {
    maxScreens,
    done,
  }: Required<Pick<AvailabilityPassOptions, 'maxScreens'>> & { done: readonly string[] },
): AsyncGenerator<Listed, void, undefined> {
  const seen = new Set<string>();
  const read = new Set(done);
  let count = 0;
  for await (const screen of screens) {
    const id = recordId(screen);
    // Screens without an ID cannot be read, and each one is reported.
    if (id !== undefined && seen.has(id)) continue;
    if (id !== undefined) seen.add(id);
    const distance = nearby.distanceOf(screen);
    if (!distance || (id !== undefined && read.has(id))) continue;
    count += 1;
    if (count > maxScreens) throw tooMany(maxScreens);
    yield { screen, distance };
  }
}

function shareOf({ id }: Screen, { available_sov_pct }: Availability): number {
  const share = readNumber(available_sov_pct);
  if (share !== undefined) return share;
  throw unreadableNumberError(id, 'available_sov_pct, so its availability is unknown');
}

/** The error for a number that is missing; `why` begins with its name. */
export function unreadableNumberError(id: unknown, why: string): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'unexpected_response',
    `The availability of screen ${id} has no number in ${why}`,
    { remedy: 'Report this to the Screen Advertising team.' },
  );
}

function tooMany(maxScreens: number): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'invalid_request',
    `More than ${maxScreens} screens match, too many for one run`,
    {
      remedy:
        'Narrow the search with City, Country, Orientation, Bounding Box, or Near and Radius in Kilometers.',
    },
  );
}

interface ParallelOptions {
  /** Items in progress at a time. No further items are taken from the source. */
  readonly concurrency: number;
  /** Stops the work at any moment; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on items while their source yields more. When the work or the source throws, everything
 * stops: the work in progress is aborted through its signal, and once it has settled, the error is
 * rethrown.
 */
export async function inParallel<Item>(
  source: (signal: AbortSignal) => AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
  { concurrency, signal: given }: ParallelOptions,
): Promise<void> {
  const stopped = new AbortController();
  const signal = given ? AbortSignal.any([given, stopped.signal]) : stopped.signal;
  const items = source(signal)[Symbol.asyncIterator]();
  const workers = Array.from({ length: concurrency }, async () => {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await items.next();
      if (done) return;
      signal.throwIfAborted();
      await work(value, signal);
    }
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    // From here on, the line of the caller is among the ten of a stack.
    if (ScreenAdvertisingError.isInstance(error)) Error.captureStackTrace?.(error);
    throw error;
  } finally {
    stopped.abort(noCallerLeftReason);
    await Promise.allSettled(workers);
    await items.return?.();
  }
}
