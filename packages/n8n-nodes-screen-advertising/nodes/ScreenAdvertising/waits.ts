import type { Attempt } from '@screen-advertising/core';
import type { IExecuteFunctions } from 'n8n-workflow';
import { nameOf } from '../../lib/errors/sentences';
import { clock } from '../../lib/transport/transport';

/** A shorter wait needs no explanation. */
const noticedMs = 3000;

const why = "All workflows with this credential share its 'Requests per Minute'.";

/**
 * Notices that a run waits for the rate limit. Meanwhile n8n shows only that the node runs, so n8n's
 * log says why, once, and for a run in the editor the browser's console. At the end a hint does.
 */
export class Waits {
	readonly #context: IExecuteFunctions;
	#inFlight = 0;
	#maxMs = 0;
	/** Whether the log has said it, or the run has ended. */
	#isOver = false;
	#alarm = new AbortController();

	constructor(context: IExecuteFunctions) {
		this.#context = context;
		this.#watch();
	}

	readonly beforeRequest = (): undefined => {
		this.#inFlight += 1;
		this.#alarm.abort();
	};

	readonly onAttempt = ({ attempt, waitMs, error }: Attempt): void => {
		// A retry also waits for other reasons.
		if (attempt === 1) this.#maxMs = Math.max(this.#maxMs, waitMs);
		this.#inFlight -= 1;
		if (this.#inFlight === 0 && (!error || error.status === 429)) this.#watch();
	};

	/** No items are left that may wait. */
	end(): void {
		this.#isOver = true;
		this.#alarm.abort();
	}

	hint(): string | undefined {
		if (this.#maxMs < noticedMs) return undefined;
		const seconds = Math.round(this.#maxMs / 1000);
		return `Some items waited up to ${seconds} s for the rate limit. ${why}`;
	}

	#watch(): void {
		if (this.#isOver) return;
		this.#alarm = new AbortController();
		clock.sleep(noticedMs, this.#alarm.signal).then(
			() => this.#say(),
			() => undefined,
		);
	}

	#say(): void {
		this.#isOver = true;
		const message = `${nameOf(this.#context)} waits for the rate limit. ${why}`;
		this.#context.logger.info(message);
		this.#context.sendMessageToUI(message);
	}
}
