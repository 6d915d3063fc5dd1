import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
	EmptyConditionError,
	type InputOf,
	readForm,
	shownFields,
} from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { createNodeClient, credentialType } from '../../lib/access';
import { toNodeError } from '../../lib/nodeErrors';
import {
	checkTriggerSettings,
	readCollection,
	readWhenEmptyChoice,
	writtenParameters,
} from '../../lib/values';
import { relayEventsParameter } from './events';
import type { ChangeWithoutRun } from './lastPoll';
import { properties } from './ScreenAdvertisingPollingTrigger.description';

/** The data of the item that starts the workflow. */
interface PolledEvent extends IDataObject {
	readonly type: string;
	readonly data: IDataObject;
}

/** A change that starts the workflow. */
export interface PolledChange {
	readonly event: PolledEvent;
	/** Its place among those of other kinds, if it has one. */
	readonly order?: number;
}

interface PollResult {
	readonly changes: readonly PolledChange[];
	/** The next poll compares with it. Plain JSON. */
	readonly state: unknown;
	/** There was nothing to compare with, so the changes may be old: they start nothing. */
	readonly isFirst?: boolean;
	/** The filter is another one, so the rest of the list starts nothing in the next polls, either. */
	readonly isOther?: boolean;
	/** Whether the next poll continues in the middle of the list. */
	readonly continues?: boolean;
	/** The type of events that a relay no longer has. */
	readonly missing?: string;
	/** Finds the changes again if they start nothing. Without it, the changes themselves are kept. */
	readonly again?: unknown;
}

/** Changes that earlier polls left out. */
export interface RecoveredChanges {
	readonly changes: readonly PolledChange[];
	/** The next poll continues with these. */
	readonly rest?: readonly ChangeWithoutRun[];
	readonly missing?: string;
}

interface PollOptions {
	/** The state that the last poll stored, also one that this version does not know. */
	readonly before: unknown;
	/** The changes will start nothing. */
	readonly onlyNotes: boolean;
	/** Ends the poll: it returns what it has, or throws the reason if that is nothing. */
	readonly end: AbortSignal;
}

/** Events that are found with the same requests. */
export interface PolledEventKind {
	/** Names what it stores. */
	readonly key: string;
	/** Its record, in the error of a test that finds none. */
	readonly what: string;
	poll(context: IPollFunctions, options: PollOptions): Promise<PollResult>;
	/** Finds the changes that earlier polls left out, by their `again`. */
	recover?(
		context: IPollFunctions,
		left: readonly ChangeWithoutRun[],
		end: AbortSignal,
	): Promise<RecoveredChanges>;
	/** Changes that existing records would have been. */
	sample(context: IPollFunctions): Promise<readonly PolledChange[]>;
}

/** Another service or access has other records: all would look new. A new secret has the same. */
export async function accessFingerprint(context: IPollFunctions): Promise<string> {
	const authentication = context.getNodeParameter('authentication') as string;
	const type = credentialType(authentication);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const { baseUrl, clientId } = await context.getCredentials(type);
	return JSON.stringify([authentication, id, baseUrl, clientId]);
}

export const pollsRelay = (context: IPollFunctions): boolean =>
	context.getNodeParameter('authentication', 'apiKey') === 'relay';

/** The events that the user chose. Throws what n8n shows, also for options that cannot be used. */
export function eventsOf(context: IPollFunctions): readonly string[] {
	return checkTriggerSettings(
		context,
		properties,
		pollsRelay(context) ? relayEventsParameter : 'events',
	);
}

interface Parts {
	readonly entry: CatalogueEntry;
	/** The collection of the optional fields. */
	readonly filters: 'filters' | 'screenFilters';
	/** The fields outside of it. */
	readonly required?: readonly string[];
	readonly optional?: readonly string[];
	/** Values that follow from other settings. */
	readonly known?: IDataObject;
}

/** Reads the form as the input of the entry. Throws an error that n8n shows, or EmptyConditionError. */
export function readPollInput<Op extends CatalogueEntry>(
	context: IPollFunctions,
	{ entry, filters, required = [], optional = [], known }: Parts & { readonly entry: Op },
): InputOf<Op> {
	const all = writtenParameters(context);
	try {
		const entered = context.getNodeParameter(filters, {});
		const { values, written } = readCollection(entry.title, entered, all[filters]);
		for (const name of required) {
			values[name] = context.getNodeParameter(name, undefined);
			written[name] = all[name];
		}
		const options = context.getNodeParameter('options', {});
		const input = readForm(
			entry,
			{ ...values, ...known },
			{
				optional,
				timeZone: context.getTimezone(),
				written,
				whenEmpty: readWhenEmptyChoice(entry.title, shownFields(entry), options),
			},
		) as object;
		// No request has these, so no client checks them.
		if ('near' in input || 'radius_km' in input) parseInput(entry, input);
		return input as InputOf<Op>;
	} catch (error) {
		const isEmpty = error instanceof EmptyConditionError;
		throw isEmpty ? error : toNodeError(error, { node: context.getNode(), operation: entry });
	}
}

/** Turns any failure of a poll into an error that n8n shows. */
export async function withClient<Result>(
	context: IPollFunctions,
	operation: CatalogueEntry,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await createNodeClient(context, context.getNodeParameter('authentication')));
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation });
	}
}

/**
 * Reads pages until `take` returns false, the pages end or the time does. Rejects if that is before
 * the first page.
 */
export async function readPages<Page>(
	pages: AsyncIterable<Page>,
	end: AbortSignal,
	take: (page: Page) => boolean,
): Promise<void> {
	let isEmpty = true;
	const read = async () => {
		for await (const page of pages) {
			isEmpty = false;
			if (!take(page)) return;
		}
	};
	await read().catch((error: unknown) => {
		if (error !== end.reason || isEmpty) throw error;
	});
}
