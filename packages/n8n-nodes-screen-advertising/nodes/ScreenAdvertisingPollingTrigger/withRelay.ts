import { ConfigurationError, ScreenAdvertisingError } from '@screen-advertising/core';
import type { RelayClient } from '@screen-advertising/core/relay';
import type { IPollFunctions } from 'n8n-workflow';
import { containerHint } from '../../lib/errors/containerHint';
import { toNodeError } from '../../lib/errors/nodeErrors';
import { relayFor } from '../../lib/relay/relay';

/** Turns any failure on the way to the relay into an error that n8n shows. */
export async function withRelay<Result>(
	context: IPollFunctions,
	work: (relay: RelayClient) => Promise<Result>,
): Promise<Result> {
	try {
		return await work(await relayFor(context));
	} catch (error) {
		const isOfRelay =
			ScreenAdvertisingError.isInstance(error) && !(error instanceof ConfigurationError);
		throw toNodeError(error, {
			node: context.getNode(),
			...(isOfRelay && { words: words(error.message) }),
		});
	}
}

/** The core's own sentences: first what happened, then what to do. */
function words(said: string) {
	const [, what = said, remedy = ''] = /^(.*?)\. (.+)$/s.exec(said) ?? [];
	return {
		message: what.replace(/\.$/, ''),
		description: `${remedy}${containerHint(said)}`.trim(),
	};
}
