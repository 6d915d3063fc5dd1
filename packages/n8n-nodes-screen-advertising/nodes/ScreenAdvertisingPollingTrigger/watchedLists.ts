import { createHash } from 'node:crypto';
import { operations, type Screen, ScreenAdvertisingError } from '@screen-advertising/core';
import {
	compoundOperations,
	NearbyScreenPicker,
	searchNotes,
} from '@screen-advertising/core/availability';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { requestCreatedEventName, screenListedEventName, requestStatusEventName } from './events';
import {
	accessFingerprint,
	type PolledChange,
	readPollInput,
	type PolledEventKind,
	readPages,
	withClient,
} from './kind';

/** A list whose records start the workflow when they are new, or have a new status. */
interface WatchedList {
	readonly operation: (typeof operations)['campaignRequest.list' | 'screen.list'];
	readonly filters: IDataObject;
	/** The changes of a record that had this status, or none if it is new. */
	changesOf(record: IDataObject, before: string | undefined): PolledChange[];
	statusOf(record: IDataObject): string;
	/** Logs what the user should know of it. */
	logNotes?(): void;
}

export const campaignRequestsKind: PolledEventKind = watched({
	key: 'requests',
	what: 'campaign request',
	listOf(context) {
		const operation = operations['campaignRequest.list'];
		return {
			operation,
			filters: { ...readPollInput(context, { entry: operation, filters: 'filters' }) },
			statusOf,
			changesOf(data, before) {
				const status = statusOf(data);
				const isOther = status !== '' && status !== before;
				return [
					...(before === undefined ? [{ event: { type: requestCreatedEventName, data } }] : []),
					...(isOther ? [{ event: { type: requestStatusEventName(status), data } }] : []),
				];
			},
		};
	},
});

function statusOf({ status }: IDataObject): string {
	return typeof status === 'string' ? status : '';
}

const nearby = compoundOperations['screen.findNearby'];

export const newScreensKind: PolledEventKind = watched({
	key: 'screens',
	what: 'screen',
	listOf(context) {
		const { near, radius_km, ...filters } = readPollInput(context, {
			entry: nearby,
			filters: 'screenFilters',
			optional: ['near'],
		});
		const place = new NearbyScreenPicker({ near, radius_km });
		return {
			operation: operations['screen.list'],
			filters: { ...filters, limit: operations['screen.list'].largestPage },
			// Once listed, a screen is no longer new.
			statusOf: () => '',
			changesOf(record, before) {
				const distance = before === undefined && place.distanceOf(record as unknown as Screen);
				const data = { ...record, ...distance };
				return distance ? [{ event: { type: screenListedEventName, data } }] : [];
			},
			logNotes() {
				const { withoutCoordinates } = place;
				for (const note of searchNotes({ withoutCoordinates })) context.logger.warn(note);
			},
		};
	},
});

interface ListState {
	readonly access: string;
	readonly filters: IDataObject;
	/** The last known status of each record, by its ID. */
	readonly seen: Readonly<Record<string, string>>;
	/** Where the next poll continues, if this one did not reach the end of the list. */
	readonly cursor?: string | undefined;
}

/**
 * Compares the list with the last poll. The contract shows neither an order nor a time of change,
 * so only the whole list shows for sure what is new. A list that takes longer than a poll takes
 * several.
 */
function watched({
	listOf,
	...kind
}: Pick<PolledEventKind, 'key' | 'what'> & {
	listOf(context: IPollFunctions): WatchedList;
}): PolledEventKind {
	return {
		...kind,
		async poll(context, { before: stored, end }) {
			const list = listOf(context);
			const access = await accessFingerprint(context);
			const known = stored as ListState | undefined;
			const before = known?.access === access ? known : undefined;
			const seen = before?.seen ?? {};
			const { filters } = before ?? list;
			const isOther = JSON.stringify(filters) !== JSON.stringify(list.filters);
			const ofBefore = isOther && (await readPart(context, { ...list, filters }, end));
			const from = isOther ? undefined : before?.cursor;
			const { records, cursor } = await readPart(context, list, end, from);
			list.logNotes?.();
			const isWhole = from === undefined && cursor === undefined;
			const isListed = ofBefore && listedIn(ofBefore.records, seen);
			return {
				changes: changesSince(seen, isListed ? records.filter(isListed) : records, list),
				state: {
					access,
					filters: list.filters,
					seen: remember(isOther ? {} : seen, records, { list, isWhole }),
					cursor,
				} satisfies ListState,
				isFirst: before === undefined,
				isOther,
				continues: cursor !== undefined,
			};
		},
		async sample(context) {
			const list = listOf(context);
			return await withClient(context, list.operation, async (client) => {
				const records: IDataObject[] = [];
				for await (const record of client.items(list.operation, list.filters)) {
					records.push(record as IDataObject);
				}
				return changesSince({}, records, list);
			});
		},
	};
}

/**
 * After a change of the filter, only records of the last poll's list can be compared: nothing shows
 * whether the others are new.
 */
function listedIn(records: readonly IDataObject[], seen: ListState['seen']) {
	const known = new Set([...Object.keys(seen), ...records.map(keyOf)]);
	return (record: IDataObject): boolean => known.has(keyOf(record));
}

interface Part {
	readonly records: IDataObject[];
	/** Where the list continues; undefined at its end. */
	readonly cursor: string | undefined;
}

/** Reads as much of the list as the poll has time for, at least one page. */
async function readPart(
	context: IPollFunctions,
	{ operation, filters }: Pick<WatchedList, 'operation' | 'filters'>,
	end: AbortSignal,
	from?: string,
): Promise<Part> {
	return await withClient(context, operation, async (client) => {
		const read = async (cursor?: string): Promise<Part> => {
			const part = { records: [] as IDataObject[], cursor };
			const input = cursor === undefined ? filters : { ...filters, cursor };
			const pages = client.pages(operation, input, { signal: end });
			await readPages(pages, end, ({ data, pagination }) => {
				// Not with push(...): the list of campaign requests may come in a single page.
				for (const record of data) part.records.push(record as IDataObject);
				part.cursor = nextCursor(pagination);
				return true;
			});
			return part;
		};
		if (from === undefined) return await read();
		// The contract does not show how long a cursor works.
		return await read(from).catch((error: unknown) =>
			isRefused(error) ? read() : Promise.reject(error),
		);
	});
}

function isRefused(error: unknown): boolean {
	return (
		ScreenAdvertisingError.isInstance(error) &&
		(error.code === 'invalid_request' || error.code === 'not_found')
	);
}

/** Changes to the records since `seen`, in the order of the list. */
function changesSince(
	seen: ListState['seen'],
	records: readonly IDataObject[],
	{ changesOf, statusOf }: WatchedList,
): PolledChange[] {
	const known = new Map(Object.entries(seen));
	return records.flatMap((record) => {
		const key = keyOf(record);
		const before = known.get(key);
		known.set(key, statusOf(record));
		return changesOf(record, before);
	});
}

/** Above this, records that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/**
 * Keeps records missing from the list: they may be back in the next one, and must not count as new
 * then. Only a poll that reads the whole list shows which ones are missing.
 */
function remember(
	seen: ListState['seen'],
	records: readonly IDataObject[],
	{ list, isWhole }: { readonly list: WatchedList; readonly isWhole: boolean },
): ListState['seen'] {
	const current = Object.fromEntries(
		records.map((record) => [keyOf(record), list.statusOf(record)]),
	);
	const all = { ...seen, ...current };
	return isWhole && Object.keys(all).length > maxRemembered ? current : all;
}

/** The contract does not rule out records without an ID; those are recognized by their content. */
function keyOf(record: IDataObject): string {
	const id = recordId(record);
	if (id !== undefined) return id;
	return `#${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)}`;
}
