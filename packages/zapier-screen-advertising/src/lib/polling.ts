import { createHash } from 'node:crypto';
import {
  allFields,
  type CampaignRequest,
  type CampaignRequestListParams,
  operations,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { recordId } from '@screen-advertising/core/platform';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { collectAllRecords, createRunClient } from './client.ts';
import type { NamedStep } from './errors.ts';
import { runDeadlineMs } from './limits.ts';

/** A change of a record, with the record as it was when the change was noticed. */
export interface RecordChange<Data> {
  /** ID of the record that changed. */
  readonly subject: string;
  /** The new state, in one word. */
  readonly became: string;
  readonly data: Data;
}

/** A stored change with its own ID: a change back and forth is three changes. */
interface StoredChange<Data> extends RecordChange<Data> {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The memory of a trigger from poll to poll. */
interface PollState<Seen, Data> {
  /** When the counts began: after they were lost or dropped, changes get other IDs. */
  readonly since: string;
  /** The last known state of each record. */
  readonly seen: Readonly<Record<string, Seen>>;
  /** How many changes each record has had since then. */
  readonly counts: Readonly<Record<string, number>>;
  /** The latest changes, newest first. */
  readonly changes: readonly StoredChange<Data>[];
}

/** Above this, records that no longer exist are forgotten, and all counts begin again. */
const maxRecords = 20_000;

/** Zapier polls every few minutes, so a Zap that polls less often was off or failing. */
const changesMs = 24 * 60 * 60 * 1000;

/** Above this, only the newest half stays: Zapier accepts results of a few megabytes. */
const maxChanges = 2000;

/**
 * Loads what a trigger has seen, stored by Zapier (`z.cache`). Zaps with the same connection that watch
 * the same records share it. So each poll returns the changes of the last day again, including
 * those that the poll of another Zap found. Zapier runs each Zap for the IDs that are new to it.
 * A poll whose result gets lost loses nothing, and nothing runs twice.
 */
export async function loadPollState<Seen, Data>(
  z: ZObject,
  { authData }: Bundle,
  { label }: NamedStep,
  watched: unknown,
) {
  const { base_url, client_id, api_key } = authData;
  const parts = JSON.stringify([base_url, client_id, api_key, watched]);
  const key = `seen ${createHash('sha256').update(parts).digest('base64url')}`;
  const stored: PollState<Seen, Data> | null = await z.cache.get(key);
  const { since, seen, counts, changes } = stored ?? initialState<Seen, Data>();
  return {
    /** On the first poll, no record counts as changed. */
    isEmpty: stored === null,
    seen,
    /** The records that changed in the last day. */
    recent: new Set(changes.map(({ subject }) => subject)),
    /**
     * Stores the current state, and returns the changes of the last day, newest first. A missing
     * record keeps its last state: it may be back in the next poll, and must not count as new then.
     * Throws ScreenAdvertisingError once when it has to drop changes.
     */
    async save(
      current: PollState<Seen, Data>['seen'],
      added: readonly RecordChange<Data>[],
    ): Promise<readonly StoredChange<Data>[]> {
      const at = Date.now();
      const all = { ...seen, ...current };
      const counted = new Map(Object.entries(counts));
      const withIds = added.map((change) => {
        const { subject, became } = change;
        const count = (counted.get(subject) ?? 0) + 1;
        counted.set(subject, count);
        return { ...change, id: [subject, became, since, count].join(' '), at };
      });
      const recent = [...withIds, ...changes.filter((change) => change.at > at - changesMs)];
      const isTooMany = recent.length > maxChanges;
      const room = Math.max(maxChanges / 2, withIds.length);
      const latest = isTooMany ? recent.slice(0, room) : recent;
      const forgets = Object.keys(all).length > maxRecords;
      await z.cache.set(key, {
        ...(forgets
          ? { since: new Date(at).toISOString(), seen: current, counts: {} }
          : { since, seen: all, counts: Object.fromEntries(counted) }),
        changes: latest,
      } satisfies PollState<Seen, Data>);
      // The next poll returns the others, so this error loses none of them.
      if (latest.length < recent.length) throw dropped(label, recent.length - latest.length);
      return latest;
    },
  };
}

function dropped(label: string, count: number): ScreenAdvertisingError {
  return new ScreenAdvertisingError(
    'invalid_request',
    `found more than ${maxChanges} changes in a day, and dropped the oldest ${count}. Zaps that had not polled since then miss them`,
    { title: label, remedy: 'Narrow it with the other fields.' },
  );
}

function initialState<Seen, Data>(): PollState<Seen, Data> {
  return { since: new Date().toISOString(), seen: {}, counts: {}, changes: [] };
}

/**
 * Newest first, as Zapier wants the records of a trigger, if the service sends when each was created.
 * Records of the same moment keep the order of the service, reversed if it lists the oldest first.
 */
export function newestFirst<Item extends object>(records: readonly Item[]): Item[] {
  const [first, last] = [records[0], records.at(-1)];
  const isOldestFirst = first && last && timeOf(first) < timeOf(last);
  const ordered = isOldestFirst ? records.toReversed() : records;
  return ordered.toSorted((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(record: object): number {
  const { created_at } = allFields(record);
  const time = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

const campaignRequestList = operations['campaignRequest.list'];

/** Zapier's types know text only, but it compares numbers as well. */
export type CampaignRequestWithId = CampaignRequest & { id: string };

/**
 * The campaign requests that a poll sees, newest first if the service sends their time. The order
 * in which the service sends them is unknown, so this reads every page: a skipped one might hold a
 * new request. For an example, one page is enough.
 */
export async function pollCampaignRequests(
  z: ZObject,
  bundle: Bundle,
  step: NamedStep,
  filters: CampaignRequestListParams,
): Promise<CampaignRequestWithId[]> {
  const client = createRunClient(z, bundle);
  const requests = bundle.meta.isLoadingSample
    ? (await client.call(campaignRequestList, filters, { deadlineMs: runDeadlineMs })).data
    : await collectAllRecords(client, step.label, (signal) =>
        client.items(campaignRequestList, filters, { signal }),
      );
  return newestFirst(unique(requests)) as CampaignRequestWithId[];
}

/** The ID as text, whether the service sends text or a number. Throws ScreenAdvertisingError. */
export function campaignRequestId(request: CampaignRequest): string {
  const id = recordId(request);
  if (id !== undefined) return id;
  throw new ScreenAdvertisingError(
    'unexpected_response',
    'The service sent a campaign request without an ID, so new ones cannot be detected',
    { remedy: 'Contact the Screen Advertising team.' },
  );
}

/** Zapier refuses a poll that contains one record twice, as pages that shift meanwhile may. */
function unique(requests: CampaignRequest[]): CampaignRequest[] {
  return [...new Map(requests.map((request) => [campaignRequestId(request), request])).values()];
}
