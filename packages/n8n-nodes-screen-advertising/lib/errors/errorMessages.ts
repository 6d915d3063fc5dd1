import type { ScreenAdvertisingError } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import {
	addressUnknown,
	conflicts,
	type Message,
	type MessageContext,
	missing,
	recordMissing,
	refusals,
} from './operationMessages';
import { failingCredential } from '../transport/credentialFailure';
import { quoted } from './sentences';

/** Describes a failure of the service or of the network, by the operation and the response. */
export function errorMessage(error: ScreenAdvertisingError, context: MessageContext): Message {
	const { message, description } = messageFor(error, context);
	const said = isQuotedAlready(error) ? '' : quoted(error);
	const { requestId } = error;
	const id = requestId && `Request ID: ${outsideText(requestId)}.`;
	return { message, description: [said, description, id].filter(Boolean).join(' ') };
}

function messageFor(error: ScreenAdvertisingError, context: MessageContext): Message {
	const { code, status, retryAfter } = error;
	const name = context.operation?.name ?? '';
	switch (code) {
		case 'authentication_failed':
			return error.message.startsWith(failingCredential)
				? split(error, context)
				: notAccepted(context);
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
			return status === undefined ? split(error, context) : refused(status, context);
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
			return name === 'landingLink.create' ? linkMayExist(error) : split(error, context);
		default:
			return split(error, context);
	}
}

function linkMayExist({ message }: ScreenAdvertisingError): Message {
	const [, happened = ''] = /( Cause: .*)$/s.exec(message) ?? [];
	return {
		message: 'No response to Create Landing Link, so the link may already exist',
		description: `Retry to get a link: a second one does no harm unless you count links.${happened}`,
	};
}

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

function refused(status: number, context: MessageContext): Message {
	const refusal = refusals[context.operation?.name ?? '']?.(context);
	return {
		message: `${refusal?.message ?? 'The service rejected the request'} (${status})`,
		description: refusal?.description ?? 'Fix what the service names, then retry.',
	};
}

const tooShort: ReadonlySet<string> = new Set(['', 'Retry.']);

/** The core's own sentences: what happened, and then what to do. */
function split(error: ScreenAdvertisingError, { operation, credential }: MessageContext): Message {
	const { code } = error;
	const message = error.message.replace(failingCredential, `The ${credential} does not work.`);
	if (code === 'unexpected_response') return splitAtOutline(message);
	const [, what = message, remedy = ''] = /^(.*?)\. (.+)$/s.exec(message) ?? [];
	return {
		message: withoutFailure(what.replace(/\.$/, '')),
		description: tooShort.has(remedy) ? retry(operation) : remedy,
	};
}

/** A lost response to a POST shows nothing about what the service did. */
function retry(operation: MessageContext['operation']): string {
	const isPost = operation && 'method' in operation && operation.method === 'POST';
	return `Retry${isPost ? '' : ': nothing was created or changed'}. If it keeps failing, tell the Screen Advertising team.`;
}

/** A description of the body would make the title too long, and could contain any words. */
function splitAtOutline(message: string): Message {
	const [, what = message, outline = '', remedy = ''] =
		/^(.*?)(?: \(([^,()]+, \d+ characters.*)\))?\. ([^.]+\.)$/s.exec(message) ?? [];
	return {
		message: withoutFailure(what),
		description: `${outline && `The body: ${outline}. `}${remedy}`,
	};
}

/** n8n's titles say what happened, without naming it a failure. */
function withoutFailure(title: string): string {
	const [, reason = title] = /^[\w ]+ failed: (.+)$/s.exec(title) ?? [];
	return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** An unknown outcome ends with the whole message of its cause. */
function isQuotedAlready({ code, message }: ScreenAdvertisingError): boolean {
	return code === 'outcome_unknown' || message.startsWith(failingCredential);
}
