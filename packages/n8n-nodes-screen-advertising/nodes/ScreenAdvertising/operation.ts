import type { Client } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';
import type { IBinaryKeyData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/** One item that an operation runs for. */
export interface Item {
	readonly context: IExecuteFunctions;
	readonly client: Client;
	readonly index: number;
	/** Aborts when the user cancels the execution. */
	readonly signal: AbortSignal | undefined;
	/** Files to output with the record. */
	readonly binary: IBinaryKeyData;
}

/** An operation of the catalogue, or a task made of several, as this node offers it. */
export interface NodeOperation {
	readonly operation: Task;
	/** The one with the fields of the form, if those are more. */
	readonly form?: Task;
	/** n8n's name for it, such as `getAll`. */
	readonly value: string;
	/** Label in the list of operations, such as `Get Many`. */
	readonly name: string;
	/** What it does, as n8n's list of nodes shows it: sentence case, no articles. */
	readonly action: string;
	readonly properties: INodeProperties[];
	/** Entries of Options for this operation only. */
	readonly options?: INodeProperties[];
	/** Returns one record, or several for a list. Throws what the client throws. */
	run(item: Item): Promise<object>;
}
