import type { Attempt } from '@screen-advertising/core';
import type { IExecuteFunctions } from 'n8n-workflow';

/** A shorter wait needs no explanation. */
const noticedMs = 3000;

/** Notes how long the first request of each item waited, and says so above the output. */
export class WaitHint {
	#longestMs = 0;

	// A retry also waits for other reasons.
	readonly onAttempt = ({ attempt, waitMs }: Attempt): void => {
		if (attempt === 1) this.#longestMs = Math.max(this.#longestMs, waitMs);
	};

	show(context: IExecuteFunctions): void {
		if (this.#longestMs < noticedMs) return;
		const seconds = Math.round(this.#longestMs / 1000);
		const message = `Some items waited up to ${seconds} s for the rate limit. All workflows with this credential share its 600 requests a minute.`;
		context.addExecutionHints({ message, location: 'outputPane' });
	}
}
