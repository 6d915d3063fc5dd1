import type { Client } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import type { IBinaryKeyData, IExecuteFunctions, INodeProperties, IDataObject } from 'n8n-workflow';
import { readProperty } from '../../lib/values';
import type { Hints } from './hints';

/** One item that an operation runs for. */
export interface Item {
	readonly context: IExecuteFunctions;
	readonly client: Client;
	readonly index: number;
	/** Aborts when the user cancels the execution. */
	readonly signal: AbortSignal | undefined;
	readonly hints: Hints;
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
	 * sends anything before all of them are prepared. Throws InputError or EmptyCondition. The
	 * requests return one record, or several for a list, and throw what the client throws.
	 */
	prepare(item: Item): () => Promise<object>;
}

const maxConcurrency = 500;
const defaultTimeout = 30;

/**
 * A hundred reads at a time are a sixth of what the service allows per minute. A task makes many
 * requests for one item. Operations that create or revoke run one at a time: a failure stops the
 * remaining items, and the effect of anything running in parallel would not show in any output.
 */
function defaultConcurrency({ operation }: NodeOperation): number {
	if (!('method' in operation)) return 10;
	return operation.method === 'GET' ? 100 : 1;
}

/** The options for many items. Writes run one at a time, so they take pauses instead. */
export function optionsForMany(chosen: NodeOperation): INodeProperties[] {
	const { operation } = chosen;
	const isWrite = 'method' in operation && operation.method !== 'GET';
	return [isWrite ? batchingOption : concurrencyOption(chosen), timeoutOption];
}

const batchSize: INodeProperties = {
	displayName: 'Items Per Batch',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'After how many items to pause',
};

const batchInterval: INodeProperties = {
	displayName: 'Batch Interval in Milliseconds',
	name: 'batchInterval',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 1000,
	description: 'Time between batches',
};

/** Looks like Batching in n8n's HTTP Request. */
const batchingOption: INodeProperties = {
	displayName: 'Batching',
	name: 'batching',
	placeholder: 'Add Batching',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	default: { batch: {} },
	options: [{ displayName: 'Batching', name: 'batch', values: [batchSize, batchInterval] }],
	description: 'Pauses between batches of items, to leave requests to other workflows',
};

function concurrencyOption(chosen: NodeOperation): INodeProperties {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: maxConcurrency, numberPrecision: 0 },
		default: defaultConcurrency(chosen),
		description:
			'How many items to run at once, as the first item says. The node respects the rate limit and keeps the order of your items.',
	};
}

const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultTimeout,
	description: 'Seconds to wait for each response before retrying',
};

/** The settings of an item for its requests. Throws InputError. */
export function readOptions(
	context: IExecuteFunctions,
	chosen: NodeOperation,
	index: number,
): {
	concurrency: number;
	timeoutMs: number;
	/** Before the item, if a batch begins with it. */
	pauseMs: number;
} {
	const given = context.getNodeParameter('options', index, {}) as IDataObject;
	const { batch } = (given.batching ?? {}) as { batch?: IDataObject };
	const read = (property: INodeProperties, from = given) =>
		Number(readProperty(chosen.operation.title, property, from[property.name]));
	const size = batch ? read(batchSize, batch) : Number.POSITIVE_INFINITY;
	const intervalMs = batch ? read(batchInterval, batch) : 0;
	return {
		concurrency: read(concurrencyOption(chosen)),
		timeoutMs: read(timeoutOption) * 1000,
		pauseMs: index > 0 && index % size === 0 ? intervalMs : 0,
	};
}
