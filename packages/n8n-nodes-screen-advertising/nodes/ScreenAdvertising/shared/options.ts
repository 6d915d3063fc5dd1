import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Item } from './operation';

export const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 10,
	description:
		'How many items are worked on at the same time. The rate limit of the service is kept whatever you choose, and the order of the items too.',
};

export const timeoutOption: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'Seconds to wait for each answer of the service before trying again, or failing when another try could do harm',
};

export const safeRetriesOption: INodeProperties = {
	displayName: 'Safe Retries',
	name: 'safeRetries',
	type: 'boolean',
	default: false,
	description:
		'Whether to make up a code when you give none, so that no coupon is created twice. The code depends on the execution, this node and the item: when the answer gets lost, or n8n tries the node again in the same execution (Retry On Fail), the coupon that was already created is found and returned. With a code of your own that is the same in every run, a later run finds the coupon too, when it is for the same lead with the same discount. Without this option and without a code of your own the service makes up the code, and after a lost answer this node can only say that the coupon may exist.',
};

const defaults = { concurrency: 10, timeout: 30 };

export function readOptions(context: IExecuteFunctions): {
	concurrency: number;
	timeoutMs: number;
} {
	const given = context.getNodeParameter('options', 0, {}) as IDataObject;
	return {
		concurrency: Math.min(
			50,
			Math.max(1, Math.floor(positive(given.concurrency, defaults.concurrency))),
		),
		timeoutMs: positive(given.timeout, defaults.timeout) * 1000,
	};
}

export function hasSafeRetries({ context, index }: Item): boolean {
	return (context.getNodeParameter('options', index, {}) as IDataObject).safeRetries === true;
}

function positive(given: unknown, otherwise: number): number {
	const value = Number(given ?? otherwise);
	return value > 0 ? value : otherwise;
}
