import type { Client } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clientFor } from '../../lib/client';
import { toNodeError } from '../../lib/errors/nodeErrors';

/** What starts the workflow, as its item. */
export interface Change extends IDataObject {
	readonly type: string;
	readonly data: IDataObject;
}

/** What one poll found of one kind. */
export interface News {
	readonly changes: Change[];
	/** Keeps what the next poll compares with; called only once all kinds were read to their end. */
	remember(): void;
}

/** Another credential or filter shows another list: everything in it would look new. */
export function sourceOf(context: IPollFunctions, filters: unknown): string {
	const { credentials } = context.getNode();
	const authentication = context.getNodeParameter('authentication') as string;
	const ids = Object.values(credentials ?? {}).map(({ id }) => id);
	return JSON.stringify([authentication, ids, filters]);
}

/** Whatever goes wrong on the way is told as n8n shows it. */
export async function withClient<Result>(
	context: IPollFunctions,
	operation: Task,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await clientFor(context, context.getNodeParameter('authentication')));
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation });
	}
}
