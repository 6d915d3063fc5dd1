import type { CallOptions, Client, Operation } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Form } from './form';

/** One item that an operation runs for. */
export interface Item {
	readonly context: IExecuteFunctions;
	readonly client: Client;
	readonly index: number;
	/** Aborts when the user cancels the execution. */
	readonly signal?: AbortSignal;
}

/** An operation of the catalogue, or a task made of several, as this node offers it. */
export interface NodeOperation {
	readonly operation: Task;
	/** n8n's name for it, such as `getAll`. */
	readonly value: string;
	/** Label in the list of operations, such as `Get Many`. */
	readonly name: string;
	/** What it does, as n8n's list of nodes shows it: sentence case, no articles. */
	readonly action: string;
	readonly properties: INodeProperties[];
	/** Entries of Options that only this operation has. */
	readonly options?: INodeProperties[];
	/** Gives one record, or several for a list. Throws what the client throws. */
	run(item: Item): Promise<IDataObject | IDataObject[]>;
}

/** Sends what the form holds, and gives the record as it came. */
export async function sendForm(
	item: Item,
	operation: Operation,
	fields: Form,
): Promise<IDataObject> {
	return await send(item, operation, fields.read(item.context, item.index));
}

export async function send(
	{ client, signal }: Item,
	operation: Operation,
	input: Record<string, unknown>,
	options: CallOptions = {},
): Promise<IDataObject> {
	const record: unknown = await client.call(operation, input, {
		...(signal && { signal }),
		...options,
	});
	return record as IDataObject;
}
