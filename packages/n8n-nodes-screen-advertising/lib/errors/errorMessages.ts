import { ScreenAdvertisingError } from '@screen-advertising/core';
import { causeOf, outsideText, sentences } from '@screen-advertising/core/platform';
import {
	addressUnknown,
	conflicts,
	type Message,
	type MessageContext,
	missing,
	recordMissing,
	refused,
} from './operationMessages';
import { failingCredential } from '../transport/credentialFailure';
import { isBroken } from './sentences';

/** Describes a failure of the service or of the network, by the operation and the response. */
export function errorMessage(error: ScreenAdvertisingError, context: MessageContext): Message {
	const { message, description } = messageFor(error, context);
	const { said, requestId } = error;
	const id = requestId && `Request ID: ${outsideText(requestId)}.`;
	return { message, description: sentences([said, description, id]) };
}

function messageFor(error: ScreenAdvertisingError, context: MessageContext): Message {
	const { code, status, retryAfter } = error;
	const name = context.operation?.name ?? '';
	switch (code) {
		case 'authentication_failed':
			return error.title === failingCredential ? own(error, context) : notAccepted(context);
		case 'missing_scope':
			return scopeMissing(context);
		case 'not_found':
			return (
				(error.problem && (missing[name]?.(context) ?? recordMissing(context))) ??
				addressUnknown(context)
			);
		case 'conflict':
			return conflicts[name]?.(context, error) ?? refused(409, context);
		case 'invalid_request':
			return status === undefined ? own(error, context) : refused(status, context);
		case 'rate_limited':
			return {
				message: status === undefined ? 'Rate limit reached' : `Rate limit reached (${status})`,
				description: `Retry in ${Math.ceil(retryAfter ?? 60)} s. All workflows with this credential share the limit: process fewer items at a time, or set a lower 'Limit'.`,
			};
		case 'service_error':
			return {
				message: `The service is not available (${status})`,
				description:
					'Your fields are fine. Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation.',
			};
		case 'outcome_unknown':
			return name === 'landingLink.create' ? linkMayExist(error) : own(error, context);
		default:
			return own(error, context);
	}
}

const linkMayExist = (error: ScreenAdvertisingError): Message => ({
	message: 'No response to Create Landing Link, so the link may already exist',
	description: sentences([
		'Retry to get a link: a second one does no harm unless you count links',
		causeOf(error),
	]),
});

const notAccepted = ({ credential }: MessageContext): Message => ({
	message: `The service did not accept the ${credential} (401)`,
	description:
		'Paste its values again in full and check its base URL. If it still fails, ask the Screen Advertising team whether it was revoked.',
});

function scopeMissing({ operation, credential }: MessageContext): Message {
	const scopes = operation?.scopes.join(' or ') ?? '';
	return {
		message: `The ${credential} has no ${scopes} scope (403)`,
		description: `Ask the Screen Advertising team to grant ${scopes}, or choose a credential that has it.`,
	};
}

/** In the core's own words. */
function own(error: ScreenAdvertisingError, { operation, credential }: MessageContext): Message {
	const { title, summary, remedy, cause } = error;
	if (title === failingCredential && ScreenAdvertisingError.isInstance(cause)) {
		return { message: `The ${credential} does not work`, description: cause.message };
	}
	const isVague = isBroken(error) || (remedy === undefined && cause === undefined);
	return {
		message: summary,
		description: sentences([isVague ? retry(operation) : remedy, causeOf(error)]),
	};
}

/** A lost response to a POST shows nothing about what the service did. */
function retry(operation: MessageContext['operation']): string {
	const isPost = operation && 'method' in operation && operation.method === 'POST';
	return `Retry${isPost ? '' : ': nothing was created or changed'}. If it keeps failing, tell the Screen Advertising team.`;
}
