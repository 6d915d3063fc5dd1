import type { Attempt, Operation } from '@screen-advertising/core';
import { EmptyConditionError } from '@screen-advertising/core/forms';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { clientPerItem } from '../../lib/access';
import { isAgentTool, nodeInWorkflow, toErrorItem, toNodeError } from '../../lib/nodeErrors';
import { n8nClock } from '../../lib/transport';
import { readProperty } from '../../lib/values';
import { emptyOutputHint, ExecutionHints } from './hints';
import type { InputItem, NodeOperation } from './operation';
import { operationByParameters } from './resources';

/** The request of an item that was read, or why it cannot be sent. */
type Prepared =
	| { readonly send: () => Promise<object>; readonly item: InputItem; readonly concurrency: number }
	/** A condition came out empty, and then nothing is to be found. */
	| { readonly isEmpty: true }
	| { readonly error: unknown };

/**
 * Runs the chosen operation for every input item, several at a time; outputs keep item order. Every
 * item is read and checked before the first request: an item that cannot be used otherwise shows up
 * after others have changed something.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { length } = this.getInputData();
	const signal = this.getExecutionCancelSignal();
	const waits = new Waits(this);
	const { beforeRequest, onAttempt } = waits;
	const clientOf = clientPerItem(this, { beforeRequest, onAttempt });
	const hints = new ExecutionHints();
	const empty: number[] = [];
	let chosen: NodeOperation | undefined;
	const errorOf = (error: unknown, index: number) =>
		toNodeError(error, {
			node: this.getNode(),
			...(chosen && { operation: chosen.form ?? chosen.operation }),
			given: (name) => given(this, name, index),
			itemIndex: index,
		});
	const failed = (error: unknown, index: number) => [
		{ json: toErrorItem(error, errorOf(error, index)), pairedItem: { item: index } },
	];
	const prepare = async (index: number): Promise<Prepared> => {
		try {
			chosen ??= chosenOperation(this);
			const { concurrency, timeoutMs, pauseMs } = readOptions(this, chosen, index);
			// An unusable credential fails each item, so that workflows may continue without it.
			const client = await clientOf(index, timeoutMs);
			const item = { context: this, client, index, signal, hints, binary: {} };
			const request = chosen.prepare(item);
			const send = async () => {
				if (pauseMs > 0) await n8nClock.sleep(pauseMs, signal);
				return await request();
			};
			return { item, concurrency, send };
		} catch (error) {
			if (error instanceof EmptyConditionError) {
				hints.add(error.message);
				return { isEmpty: true };
			}
			return { error };
		}
	};
	try {
		const prepared: Prepared[] = [];
		for (let index = 0; index < length; index += 1) prepared.push(await prepare(index));
		const faults = prepared.flatMap((one, index) =>
			'error' in one ? [errorOf(one.error, index)] : [],
		);
		if (faults.length > 0 && !this.continueOnFail()) throw errorOfAll(this, faults, length);
		const [first] = prepared.flatMap((one) => ('send' in one ? [one] : []));
		const done: Done = [];
		const outputs = await mapInOrder(length, first?.concurrency ?? 1, async (index) => {
			const one = prepared[index];
			if (!one || 'isEmpty' in one) return [];
			try {
				if ('error' in one) throw one.error;
				const result = await one.send();
				done[index] = result;
				if (Array.isArray(result) && result.length === 0) empty.push(index);
				const { binary } = one.item;
				const files = Object.keys(binary).length > 0 && { binary };
				return [result]
					.flat()
					.map((json) => ({ json: json as IDataObject, pairedItem: { item: index }, ...files }));
			} catch (error) {
				if (this.continueOnFail() && !signal?.aborted) return failed(error, index);
				throw errorOf(error, index);
			}
		}).catch((error: unknown) => {
			throw chosen ? withItemsDone(error, chosen, done, length) : error;
		});
		const nth = Math.min(...empty);
		const at = prepared[nth];
		if (chosen && at && 'item' in at) {
			const counts = { empty: empty.length, items: length };
			const values = (name: string) => given(this, name, nth);
			// A published workflow waits for no explanation: no user reads along.
			const isRead = this.getMode() === 'manual' || isAgentTool(this.getNode());
			hints.add(await emptyOutputHint(chosen, values, counts, isRead ? at.item.client : undefined));
		}
		hints.add(waits.hint());
		return [hints.show(this, outputs.flat())];
	} finally {
		waits.end();
	}
}

/** An error lists at most this many items. */
const maxListed = 20;

/** One error for all items that cannot be used. */
function errorOfAll(
	context: IExecuteFunctions,
	faults: ReadonlyArray<NodeApiError | NodeOperationError>,
	items: number,
): Error {
	const [first, ...others] = faults;
	if (first && others.length === 0) return first;
	const listed = faults
		.slice(0, maxListed)
		.map(({ message, context: { itemIndex } }) => `Item ${String(itemIndex)}: ${message}.`);
	const more = faults.length > maxListed ? [`And ${faults.length - maxListed} more.`] : [];
	return new NodeOperationError(
		context.getNode(),
		`${faults.length} of ${items} items cannot be used`,
		{
			description: [
				"Nothing was sent, also not for the other items. Fix these, or set 'On Error' to Continue to send the others.",
				...listed,
				...more,
			].join(' '),
			level: 'warning',
		},
	);
}

/** The results of the items that are done, by the index of the item. */
type Done = object[];

/** Enough for most runs; an error with thousands of codes would be unreadable. */
const maxNamed = 500;

/**
 * Says what was changed before a change failed, since n8n outputs nothing of a node that fails: the
 * codes or links of what exists by now would be lost.
 */
function withItemsDone(
	error: unknown,
	{ operation }: NodeOperation,
	done: Done,
	items: number,
): unknown {
	const isChange = 'method' in operation && operation.method !== 'GET';
	const count = Object.keys(done).length;
	if (!isChange || count === 0) return error;
	if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return error;
	const { scannedField: field } = operation as Operation;
	const key = field ?? 'code';
	const named = Object.entries(done)
		.slice(0, maxNamed)
		.map(([index, record]) => `${index}: ${String((record as IDataObject)[key] ?? 'done')}`);
	const more = count > maxNamed ? ` and ${count - maxNamed} more` : '';
	const what = `${count} of ${items} items were done before, and stay so.`;
	const todo =
		"Run the others again without these, or set 'On Error' to Continue, which outputs what was done.";
	const list = `Item and ${key === 'url' ? 'link' : 'code'} of those done: ${named.join(', ')}${more}.`;
	error.description = [error.description, what, todo, list].filter(Boolean).join(' ');
	return error;
}

/** The user's value of a field, for the text of an error; empty if the form has no such field. */
function given(context: IExecuteFunctions, name: string, index: number): string {
	const optional = {
		...(context.getNodeParameter('filters', index, {}) as IDataObject),
		...(context.getNodeParameter('additionalFields', index, {}) as IDataObject),
		...(context.getNodeParameter('options', index, {}) as IDataObject),
	};
	const value = context.getNodeParameter(name, index, optional[name] ?? '');
	const chosen =
		typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
	return String(chosen).trim().slice(0, 100);
}

function chosenOperation(context: IExecuteFunctions): NodeOperation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const chosen = operationByParameters.get(`${resource}.${operation}`);
	if (chosen) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`This version of the node has no operation "${operation}" for the resource "${resource}". Choose one from the lists.`,
	);
}

/**
 * Runs a task for each index, at most `concurrency` at a time, and returns the results in order.
 * After a failure no further task starts; running tasks finish, and then the first failure is
 * thrown.
 */
async function mapInOrder<Result>(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const work = async () => {
		while (next < count && failures.length === 0) {
			const index = next++;
			try {
				results[index] = await task(index);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first) throw first.error;
	return results;
}

const maxConcurrency = 500;
const defaultTimeout = 30;
/** A day. Timers take no more than 24. */
const maxTimeout = 86_400;

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
export function batchingOptions(chosen: NodeOperation): INodeProperties[] {
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
	typeOptions: { minValue: 1, maxValue: maxTimeout },
	default: defaultTimeout,
	description: 'Seconds to wait for each response before retrying',
};

/** The settings of an item for its requests. Throws InputError. */
function readOptions(
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
		timeoutMs: Math.round(read(timeoutOption) * 1000),
		pauseMs: index > 0 && index % size === 0 ? intervalMs : 0,
	};
}

/** A shorter wait needs no explanation. */
const noticedMs = 3000;

const why = "All workflows with this credential share its 'Requests per Minute'.";

/**
 * Notices that a run waits for the rate limit. Meanwhile n8n shows only that the node runs, so n8n's
 * log says why, once, and for a run in the editor the browser's console. At the end a hint does.
 */
class Waits {
	readonly #context: IExecuteFunctions;
	#inFlight = 0;
	#maxMs = 0;
	/** Whether the log has said it, or the run has ended. */
	#isOver = false;
	#alarm = new AbortController();

	constructor(context: IExecuteFunctions) {
		this.#context = context;
		this.#watch();
	}

	readonly beforeRequest = (): undefined => {
		this.#inFlight += 1;
		this.#alarm.abort();
	};

	readonly onAttempt = ({ attempt, waitMs, error }: Attempt): void => {
		// A retry also waits for other reasons.
		if (attempt === 1) this.#maxMs = Math.max(this.#maxMs, waitMs);
		this.#inFlight -= 1;
		if (this.#inFlight === 0 && (!error || error.status === 429)) this.#watch();
	};

	/** No items are left that may wait. */
	end(): void {
		this.#isOver = true;
		this.#alarm.abort();
	}

	hint(): string | undefined {
		if (this.#maxMs < noticedMs) return undefined;
		const seconds = Math.round(this.#maxMs / 1000);
		return `Some items waited up to ${seconds} s for the rate limit. ${why}`;
	}

	#watch(): void {
		if (this.#isOver) return;
		this.#alarm = new AbortController();
		n8nClock.sleep(noticedMs, this.#alarm.signal).then(
			() => this.#say(),
			() => undefined,
		);
	}

	#say(): void {
		this.#isOver = true;
		const message = `${nodeInWorkflow(this.#context)} waits for the rate limit. ${why}`;
		this.#context.logger.info(message);
		this.#context.sendMessageToUI(message);
	}
}
