import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import type { IBinaryKeyData, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ExecutionHints } from './hints';

/** One item that an operation runs for. */
export interface InputItem {
	readonly context: IExecuteFunctions;
	readonly client: Client;
	readonly index: number;
	/** Aborts when the user cancels the execution. */
	readonly signal: AbortSignal | undefined;
	readonly hints: ExecutionHints;
	/** Files to output with the record. */
	readonly binary: IBinaryKeyData;
}

/** An operation of the catalogue, or a task made of several, as this node offers it. */
export interface NodeOperation {
	readonly operation: CatalogueEntry;
	/** The one with the fields of the form, if those are more. */
	readonly form?: CatalogueEntry;
	/** n8n's name for it, such as `getAll`. */
	readonly value: string;
	/** Label in the list of operations, such as `Get Many`. */
	readonly name: string;
	/** The entry in n8n's list of nodes: sentence case, no articles. */
	readonly action: string;
	readonly properties: INodeProperties[];
	/** Entries of Options for this operation only. */
	readonly options?: INodeProperties[];
	/**
	 * Reads and checks everything that an item says, and returns what makes its requests: no item
	 * sends anything before all of them are prepared. Throws InputError or EmptyConditionError. The
	 * requests return one record, or several for a list, and throw what the client throws.
	 */
	prepare(item: InputItem): () => Promise<object>;
}
