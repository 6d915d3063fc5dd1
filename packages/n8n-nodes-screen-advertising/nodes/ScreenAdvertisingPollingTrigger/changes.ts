import { createHash } from 'node:crypto';
import { recordId } from '@screen-advertising/core/platform';
import type { IDataObject } from 'n8n-workflow';
import { created, statusEvent } from './events';
import type { Change } from './pollResult';

/** The last known status of each campaign request, by its ID. */
export type KnownStatuses = Record<string, string>;

/** Above this, campaign requests that the service no longer lists are forgotten. */
const maxRemembered = 20_000;

/** Changes to the campaign requests since `seen`, in the order of the list. */
export function changesSince(seen: KnownStatuses, records: readonly IDataObject[]): Change[] {
	const known = new Map(Object.entries(seen));
	return records.flatMap((record) => {
		const key = keyOf(record);
		const before = known.get(key);
		const status = statusOf(record);
		known.set(key, status);
		return [
			...(before === undefined ? [{ type: created, data: record }] : []),
			...(status !== '' && status !== before ? [{ type: statusEvent(status), data: record }] : []),
		];
	});
}

/**
 * Keeps requests missing from the list: they may be back in the next one, and must not count as new
 * then.
 */
export function remember(seen: KnownStatuses, records: readonly IDataObject[]): KnownStatuses {
	const current = Object.fromEntries(records.map((record) => [keyOf(record), statusOf(record)]));
	const all = { ...seen, ...current };
	return Object.keys(all).length > maxRemembered ? current : all;
}

/** The contract does not rule out records without an ID; those are recognized by their content. */
function keyOf(record: IDataObject): string {
	const id = recordId(record);
	if (id !== undefined) return id;
	return `#${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16)}`;
}

function statusOf({ status }: IDataObject): string {
	return typeof status === 'string' ? status : '';
}
