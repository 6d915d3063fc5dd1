import { ScreenAdvertisingError } from '@screen-advertising/core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { testFailure } from '../../../lib/errors/sentences';
import { notSent } from '../../../lib/transport/notSent';
import { relayOf } from '../../../lib/relay';
import { testSender } from '../../../lib/transport/testSender';

/** Asks the relay who owns the key. */
export async function testRelay(
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	try {
		const relay = relayOf(credential, testSender(context), { retry: false });
		const { name, source } = await relay.me();
		return {
			status: 'OK',
			message: `Connected to the relay as "${name}", for events of the source "${source}"`,
		};
	} catch (error) {
		return { status: 'Error', message: failure(error) };
	}
}

function failure(error: unknown): string {
	if (!ScreenAdvertisingError.isInstance(error)) {
		return notSent('n8n could not send the test', error);
	}
	return testFailure(error);
}
