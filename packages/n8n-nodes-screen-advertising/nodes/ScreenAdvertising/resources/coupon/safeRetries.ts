import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { onlyWith } from '../../../../lib/properties';

export const safeRetriesOption: INodeProperties = {
	displayName: 'Safe Retries',
	name: 'safeRetries',
	type: 'boolean',
	// Adding the option turns it on; without it, it is off.
	default: true,
	description:
		"Whether a retried execution finds its coupon instead of failing. When 'Code' is empty, a stable one is generated for each execution, item, and lead.",
};

export const codePrefixOption = onlyWith(safeRetriesOption, {
	displayName: 'Safe Retries Prefix',
	name: 'codePrefix',
	type: 'string',
	default: 'N8N-',
	placeholder: 'e.g. SPRING-',
	description:
		"Prefix of the codes that 'Safe Retries' generates. Your customers see the codes, such as SPRING-S2AEVJC8NQF5.",
});

/** Leaves out letters and digits that people confuse. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 12;

/**
 * Generates a code that is the same for every attempt at an item of an execution, and different
 * otherwise, so that no retry can create a second coupon. Of the input it uses only the lead:
 * expressions such as {{ $now }} give the other fields a new value with each attempt. The lead also
 * distinguishes an AI agent's calls, which may all belong to one item.
 */
export function safeCode(
	context: IExecuteFunctions,
	index: number,
	leadEmail: unknown,
	{ codePrefix }: IDataObject,
): string {
	const identity = [
		context.getInstanceId(),
		context.getWorkflow().id,
		context.getExecutionId(),
		context.getNode().id,
		context.getWorkflowDataProxy(index).$runIndex as unknown,
		index,
		leadEmail,
	];
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	const characters = [...digest.subarray(0, length)].map((byte) => alphabet[byte % 32]);
	// Surrounding white space is a pasting mistake, and customers could not type it from a printed
	// coupon.
	const prefix = String(codePrefix ?? codePrefixOption.default).trim();
	return prefix + characters.join('');
}
