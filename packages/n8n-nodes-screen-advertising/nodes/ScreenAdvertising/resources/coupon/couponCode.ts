import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** Without letters and digits that people mix up. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 12;

/**
 * A code that is the same whenever the same item of the same execution is tried again, and
 * different otherwise, so that no try can create a second coupon. Of the input it takes the lead
 * alone: expressions such as {{ $now }} give the other fields another value with each try, and
 * the lead tells an AI agent's calls apart, which may all be of one item.
 */
export function couponCode(context: IExecuteFunctions, index: number, leadEmail: unknown): string {
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
	return characters.join('');
}
