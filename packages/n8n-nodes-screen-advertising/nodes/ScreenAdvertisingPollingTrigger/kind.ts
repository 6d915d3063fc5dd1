import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { shownFields } from '@screen-advertising/core/forms';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clientFor, credentialType } from '../../lib/client';
import { toNodeError } from '../../lib/errors/nodeErrors';
import { chosenValue } from '../../lib/knownValues';

/** The data of the item that starts the workflow. */
interface PolledEvent extends IDataObject {
	readonly type: string;
	readonly data: IDataObject;
}

/** A change that starts the workflow. */
export interface Change {
	readonly event: PolledEvent;
	/** Its place among those of other kinds, if it has one. */
	readonly order?: number;
}

interface PollResult {
	readonly changes: readonly Change[];
	/** What the next poll compares with, as plain JSON. */
	readonly state: unknown;
	/** There was nothing to compare with, so the changes may be old: they start nothing. */
	readonly isFirst?: boolean;
	/** Of a list with another filter: what the next polls find of its rest starts nothing. */
	readonly isOther?: boolean;
	/** Whether the next poll continues in the middle of the list. */
	readonly continues?: boolean;
	/** The type of events that a relay no longer has. */
	readonly missing?: string;
}

interface PollOptions {
	/** Of the last poll; of any kind, also one that this version does not know. */
	readonly before: unknown;
	/** The changes will start nothing. */
	readonly onlyNotes: boolean;
	/** Ends the poll: it returns what it has, or throws the reason if that is nothing. */
	readonly end: AbortSignal;
}

/** Events that are found with the same requests. */
export interface Kind {
	/** Names what it stores. */
	readonly key: string;
	/** Its record, in the error of a test that finds none. */
	readonly what: string;
	poll(context: IPollFunctions, options: PollOptions): Promise<PollResult>;
	/** Changes that existing records would have been. */
	sample(context: IPollFunctions): Promise<readonly Change[]>;
}

/** Another service or access has other records: all would look new. A new secret has the same. */
export async function accessOf(context: IPollFunctions): Promise<string> {
	const authentication = context.getNodeParameter('authentication') as string;
	const type = credentialType(authentication);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const { baseUrl, clientId } = await context.getCredentials(type);
	return JSON.stringify([authentication, id, baseUrl, clientId]);
}

/** Which screens to watch: what the user entered, by the names of the entry's fields. */
export function screenFilters(
	context: IPollFunctions,
	entry: CatalogueEntry,
): Record<string, unknown> {
	const filters = context.getNodeParameter('screenFilters', {}) as IDataObject;
	return Object.fromEntries(
		shownFields(entry).map(({ name }) => [name, chosenValue(filters[name])]),
	);
}

/** Turns any failure of a poll into an error that n8n shows. */
export async function withClient<Result>(
	context: IPollFunctions,
	operation: CatalogueEntry,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await clientFor(context, context.getNodeParameter('authentication')));
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation });
	}
}
