import type { RelayClient } from '@screen-advertising/core/relay';
import type { IHookFunctions } from 'n8n-workflow';
import { clock } from '../../../lib/transport/transport';
import { noTestEvent } from './lifecycleMessages';

/**
 * An event that arrives before the editor knows that n8n listens would leave it listening for good.
 */
const headStartMs = 1_000;

/** The relay waits 15 s for n8n. */
export const testMs = 20_000;

/**
 * Has the relay deliver the newest stored event, or a sample, to the editor that listens for a test
 * event. The caller does not wait for it, so it never rejects.
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
 * Why a test event did not reach n8n. Two cases are not failures: a subscription that is gone
 * because the editor stopped listening, and the 404 that n8n itself sends when no editor listens.
 */
export function failureOf(result: Result): string | undefined {
	if (!result || result.delivered || result.status === 404) return undefined;
	return result.error ?? 'it did not respond';
}
