import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { NodeOperation } from './operation';
import { positive } from '../../lib/values';

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

export function concurrencyOption(chosen: NodeOperation): INodeProperties {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: maxConcurrency, numberPrecision: 0 },
		default: defaultConcurrency(chosen),
		description:
			'How many items to run at once. The node always respects the rate limit and keeps the order of your items.',
	};
}

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultTimeout,
	description:
		'Seconds to wait for each response before retrying, or before failing if a retry could do harm',
};

export function readOptions(
	context: IExecuteFunctions,
	chosen: NodeOperation,
): {
	concurrency: number;
	timeoutMs: number;
} {
	const given = context.getNodeParameter('options', 0, {}) as IDataObject;
	const concurrency = Math.floor(positive(given.concurrency, defaultConcurrency(chosen)));
	return {
		concurrency: Math.min(maxConcurrency, Math.max(1, concurrency)),
		timeoutMs: positive(given.timeout, defaultTimeout) * 1000,
	};
}
