import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Item, NodeOperation } from './operation';
import { positive } from './positive';

const maxConcurrency = 500;
const defaultTimeout = 30;

/**
 * A hundred questions at a time are a sixth of what the service allows in a minute. What changes
 * something, or asks many times for one item, goes slower: a failure stops the items to come.
 */
function defaultConcurrency({ operation }: NodeOperation): number {
	return 'method' in operation && operation.method === 'GET' ? 100 : 10;
}

export function concurrencyOption(chosen: NodeOperation): INodeProperties {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: maxConcurrency, numberPrecision: 0 },
		default: defaultConcurrency(chosen),
		description:
			'How many items are worked on at the same time. The rate limit of the service is kept whatever you choose, and the order of the items too.',
	};
}

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultTimeout,
	description:
		'Seconds to wait for each answer of the service before trying again, or failing when another try could do harm',
};

export const safeRetriesOption: INodeProperties = {
	displayName: 'Safe Retries',
	name: 'safeRetries',
	type: 'boolean',
	default: false,
	description:
		'Whether to generate a stable code when Code is empty, so a retried execution finds its coupon instead of creating a second one',
};

export const codePrefixOption: INodeProperties = {
	displayName: 'Safe Retries Prefix',
	name: 'codePrefix',
	type: 'string',
	default: 'N8N-',
	placeholder: 'e.g. SPRING-',
	description:
		'Start of the codes that Safe Retries makes up. Your customers see them, such as SPRING-S2AEVJC8NQF5.',
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

/** White space around it came with pasting, and could not be typed from a printed coupon. */
export function codePrefix({ context, index }: Item): string {
	const { codePrefix: given } = context.getNodeParameter('options', index, {}) as IDataObject;
	return String(given ?? codePrefixOption.default).trim();
}

export function hasSafeRetries({ context, index }: Item): boolean {
	return (context.getNodeParameter('options', index, {}) as IDataObject).safeRetries === true;
}
