import {
	type CouponCreateParams,
	operations,
	ScreenAdvertisingError,
} from '@screen-advertising/core';
import type { Item } from '../../operation';

const operation = operations['coupon.create'];

/**
 * What an execution knows of the coupons with a code of the user: the item that created it, or one
 * of these. n8n keeps it with the execution, and so for Retry On Fail, which runs all items again,
 * and for the retry of a failed execution.
 */
type Origin = 'earlier' | keyof typeof reasons | `item ${string}`;

/** Why it is not known whether an item created its coupon. */
const reasons = {
	lost: 'a response got lost',
	parent: 'a workflow that ran this one may have run it before',
	other: 'another item or run of this execution created it',
};

/**
 * Creates the coupon, or finds the one with this code. `created` is true if this item created it,
 * also in an earlier attempt; false if it existed before the execution; and null with a reason if that
 * is not known.
 */
export async function createOrFind(
	{ client, context, index, signal }: Item,
	input: CouponCreateParams & { readonly code: string },
): Promise<object> {
	const memory = context.getContext('node') as { origins?: Record<string, Origin> };
	const origins = (memory.origins ??= {});
	const { code } = input;
	const run = context.getWorkflowDataProxy(index).$runIndex as unknown;
	const self = `item ${String(run)}.${index}` as const;
	const call = client.call(operation, input, { signal }).withResponse();
	const first = await call.catch((error: unknown) => {
		if (!isConflict(error)) {
			if (mayHaveCreated(error)) origins[code] ??= 'lost';
			throw error;
		}
		// Each attempt of a workflow that runs this one is another execution.
		origins[code] ??= context.getMode() === 'integrated' ? 'parent' : 'earlier';
	});
	// Any other status is that of the request that found the coupon after a lost response.
	if (first?.status === operation.successStatus) origins[code] = self;
	else if (first) origins[code] ??= 'lost';
	const coupon =
		first?.data ?? (await client.call(operation, input, { signal, adoptExisting: true }));
	return { ...coupon, ...createdBy(origins[code] ?? 'lost', self) };
}

function createdBy(origin: Origin, self: Origin): object {
	if (origin === self) return { created: true };
	if (origin === 'earlier') return { created: false };
	const reason = reasons[origin as keyof typeof reasons] ?? reasons.other;
	return { created: null, created_note: `Not known: ${reason}` };
}

function isConflict(error: unknown): boolean {
	return ScreenAdvertisingError.isInstance(error) && error.code === 'conflict';
}

function mayHaveCreated(error: unknown): boolean {
	return !ScreenAdvertisingError.isInstance(error) || error.code === 'outcome_unknown';
}
