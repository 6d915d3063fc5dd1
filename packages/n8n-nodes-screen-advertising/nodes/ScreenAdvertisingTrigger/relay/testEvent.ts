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
		// Undefined: the editor has stopped listening. With a status n8n was reached.
		if (result?.status === null) throw new Error(result.error ?? 'No response.');
	} catch (error) {
		context.logger.warn(noTestEvent(context, error));
	}
}
