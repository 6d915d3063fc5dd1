import type { RelayClient } from '@screen-advertising/core/relay';
import type { IHookFunctions } from 'n8n-workflow';
import { clock } from '../../../lib/transport/transport';
import { noTestEvent } from './lifecycleWords';

/**
 * An event that arrived before n8n has told the editor that it listens would leave the editor
 * listening for good.
 */
const headStartMs = 1_000;

/** The relay waits 15 s for n8n. */
export const testMs = 20_000;

/**
 * Has the relay deliver the newest stored event, or a sample, to whoever listens for a test event.
 * Nobody waits for this, so it never rejects.
 */
export async function offerTestEvent(
	context: IHookFunctions,
	relay: RelayClient,
	subscription: string,
): Promise<void> {
	try {
		await clock.sleep(headStartMs);
		const result = await relay.sendTest(subscription, { deadlineMs: testMs });
		const failure = failureOf(result);
		if (failure !== undefined) throw new Error(failure);
	} catch (error) {
		context.logger.warn(noTestEvent(context, error));
	}
}

type Result = Awaited<ReturnType<RelayClient['sendTest']>>;

/**
 * Why a test event did not get to n8n. No failure: a subscription that is gone, since nobody listens
 * any more, and 404, with which n8n itself responds while nobody does.
 */
export function failureOf(result: Result): string | undefined {
	if (!result || result.delivered || result.status === 404) return undefined;
	return result.error ?? 'it did not respond';
}
