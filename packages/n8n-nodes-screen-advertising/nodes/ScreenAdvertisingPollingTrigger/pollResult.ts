import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clientFor, credentialType } from '../../lib/client';
import { toNodeError } from '../../lib/errors/nodeErrors';

/** The data of the item that starts the workflow. */
export interface PolledEvent extends IDataObject {
	readonly type: string;
	readonly data: IDataObject;
}

/** Result of polling one kind of event. */
export interface PollResult {
	readonly changes: PolledEvent[];
	/** Stores what the next poll compares with; called only after every kind was read to its end. */
	save(): void;
}

/**
 * Another service, access or filter shows another list: everything in it would look new. A new
 * secret does not.
 */
export async function sourceOf(context: IPollFunctions, filters: unknown): Promise<string> {
	const authentication = context.getNodeParameter('authentication') as string;
	const type = credentialType(authentication);
	const { id } = context.getNode().credentials?.[type] ?? {};
	const { baseUrl, clientId } = await context.getCredentials(type);
	return JSON.stringify([authentication, id, baseUrl, clientId, filters]);
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
