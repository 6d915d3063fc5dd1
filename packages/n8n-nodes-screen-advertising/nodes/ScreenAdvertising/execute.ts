import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { operationsByChoice } from './resources';
import { clientsFor } from '../../lib/client';
import { toErrorItem, toNodeError } from '../../lib/errors/nodeErrors';
import { isTool } from '../../lib/errors/sentences';
import { emptyHint, Hints } from './hints';
import { type NodeOperation, readOptions } from './operation';
import { Waits } from './waits';

/** Runs the chosen operation for every input item, several at a time; outputs keep item order. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const chosen = chosenOperation(this);
	const { concurrency, timeoutMs } = settingsOf(this, chosen);
	const signal = this.getExecutionCancelSignal();
	const waits = new Waits(this);
	const { beforeRequest, onAttempt } = waits;
	const clientOf = clientsFor(this, { timeoutMs, beforeRequest, onAttempt });
	const empty: number[] = [];
	const hints = new Hints();
	const outputs = await mapInOrder(this.getInputData().length, concurrency, async (index) => {
		try {
			// An unusable credential fails each item, so that workflows may continue without it.
			const client = await clientOf(index);
			const item = { context: this, client, index, signal, hints, binary: {} };
			const result = await chosen.run(item);
			if (Array.isArray(result) && result.length === 0) empty.push(index);
			const files = Object.keys(item.binary).length > 0 && { binary: item.binary };
			return [result]
				.flat()
				.map((json) => ({ json: json as IDataObject, pairedItem: { item: index }, ...files }));
		} catch (error) {
			const nodeError = toNodeError(error, {
				node: this.getNode(),
				operation: chosen.form ?? chosen.operation,
				given: (name) => given(this, name, index),
				itemIndex: index,
			});
			if (!this.continueOnFail() || signal?.aborted) throw nodeError;
			return [{ json: toErrorItem(error, nodeError), pairedItem: { item: index } }];
		}
	}).finally(() => waits.end());
	const [first] = empty.sort((a, b) => a - b);
	if (first !== undefined) {
		const counts = { empty: empty.length, items: outputs.length };
		const values = (name: string) => given(this, name, first);
		// A published workflow waits for no explanation: no user reads along.
		const isRead = this.getMode() === 'manual' || isTool(this.getNode());
		const client = isRead ? await clientOf(first) : undefined;
		hints.add(await emptyHint(chosen, values, counts, client));
	}
	hints.add(waits.hint());
	return [hints.show(this, outputs.flat())];
}

function settingsOf(context: IExecuteFunctions, chosen: NodeOperation) {
	try {
		return readOptions(context, chosen);
	} catch (error) {
		throw toNodeError(error, { node: context.getNode() });
	}
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
	const chosen = operationsByChoice.get(`${resource}.${operation}`);
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
