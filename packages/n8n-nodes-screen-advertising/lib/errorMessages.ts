import { ProblemError, ScreenAdvertisingError, TransportError } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';
import {
	causeDescription,
	safeOutsideText,
	joinSentences,
} from '@screen-advertising/core/platform';
import { noTokenErrorTitle } from './access';

/** An error as n8n shows it: the title says what happened, the description what to do about it. */
export interface ErrorMessage {
	readonly message: string;
	readonly description: string;
}

/** Context for error messages. */
export interface ErrorMessageContext {
	readonly operation?: CatalogueEntry | undefined;
	/** The user's value of a field, by its name in the catalogue; empty when there is none. */
	readonly given: (name: string) => string;
	/** Follows "the": the credential by the name that the user gave it. */
	readonly credential: string;
}

/** Describes a failure of the service or of the network, by the operation and the response. */
export function errorMessage(
	error: ScreenAdvertisingError,
	context: ErrorMessageContext,
): ErrorMessage {
	const { message, description } = messageFor(error, context);
	const { said, requestId } = error;
	const id = requestId && `Request ID: ${safeOutsideText(requestId)}.`;
	return { message, description: joinSentences([said, description, id]) };
}

function messageFor(error: ScreenAdvertisingError, context: ErrorMessageContext): ErrorMessage {
	const { code, status, retryAfter } = error;
	const name = context.operation?.name ?? '';
	if (status !== undefined && mayBeFromProxy(error)) return unproved(status, context);
	switch (code) {
		case 'authentication_failed':
			return error.title === noTokenErrorTitle
				? own(error, context)
				: notAccepted('The service', context);
		case 'missing_scope':
			return scopeMissing(context);
		case 'not_found':
			if (status === undefined) return own(error, context);
			return missing[name]?.(context) ?? recordMissing(context) ?? addressUnknown(context);
		case 'conflict':
			return ProblemError.isInstance(error) ? refused(409, context, error) : own(error, context);
		case 'invalid_request':
			return status === undefined ? own(error, context) : refused(status, context, error);
		case 'rate_limited':
			return {
				message: status === undefined ? 'Rate limit reached' : `Rate limit reached (${status})`,
				description: `Retry in ${Math.ceil(retryAfter ?? 60)} s. All workflows with this credential share the limit: process fewer items at a time, or set a lower 'Limit'.`,
			};
		case 'service_error':
			return {
				message: `The service is not available (${status})`,
				description:
					'Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation.',
			};
		case 'unexpected_response':
			return status === 404 ? addressUnknown(context) : own(error, context);
		case 'outcome_unknown':
			return name === 'landingLink.create' ? linkMayExist(error) : own(error, context);
		default:
			return own(error, context);
	}
}

const linkMayExist = (error: ScreenAdvertisingError): ErrorMessage => ({
	message: 'No response to Create Landing Link, so the link may already exist',
	description: joinSentences([
		'Retry to get a link: a second one does no harm unless you count links',
		causeDescription(error),
	]),
});

/**
 * Whether nothing shows that the response is the service's own: a proxy sends any status, and only a
 * problem document proves what the service says. A 429 asks for the same, from any sender, and an
 * unknown outcome claims nothing.
 */
export function mayBeFromProxy({
	code,
	status = 0,
	problem,
	title,
}: ScreenAdvertisingError): boolean {
	const isKnown = code === 'outcome_unknown' || status === 429 || title === noTokenErrorTitle;
	return status >= 400 && !problem && !isKnown;
}

const someone = 'The service, or something in front of it,';

/** No more than HTTP says of the status. */
function unproved(status: number, context: ErrorMessageContext): ErrorMessage {
	const { credential, operation } = context;
	if (status === 401) return notAccepted(someone, context);
	if (status === 404) return addressUnknown(context);
	if (status === 407) {
		return {
			message: 'A proxy between n8n and the service asks for credentials (407)',
			description: joinSentences([
				'Ask who runs n8n to correct its proxy settings',
				unrevoked(operation),
			]),
		};
	}
	const isPassing = status === 408 || status >= 500;
	return {
		message: `${someone} ${isPassing ? 'reported an error' : 'refused the request'} (${status})`,
		description: joinSentences([
			isPassing
				? 'Retry in a few minutes. If it keeps failing, tell the Screen Advertising team the time and the operation'
				: `Check that the base URL in the ${credential} leads to the service, and any proxy in between`,
			unrevoked(operation),
		]),
	};
}

function unrevoked(operation: ErrorMessageContext['operation']): string | undefined {
	return operation?.name === 'coupon.revoke'
		? 'Coupon > Get shows whether the coupon is still active'
		: undefined;
}

const notAccepted = (who: string, { credential }: ErrorMessageContext): ErrorMessage => ({
	message: `${who} did not accept the ${credential} (401)`,
	description:
		'Paste its values again in full and check its base URL. If it still fails, ask the Screen Advertising team whether it was revoked.',
});

function scopeMissing({ operation, credential }: ErrorMessageContext): ErrorMessage {
	const scopes = operation?.scopes.join(' or ') ?? '';
	return {
		message: `The ${credential} has no ${scopes} scope (403)`,
		description: `Ask the Screen Advertising team to grant ${scopes}, or choose a credential that has it.`,
	};
}

/** Keeps the words of the core. */
function own(
	error: ScreenAdvertisingError,
	{ operation, credential }: ErrorMessageContext,
): ErrorMessage {
	const { title, summary, remedy, cause } = error;
	if (title === noTokenErrorTitle && ScreenAdvertisingError.isInstance(cause)) {
		return { message: `The ${credential} does not work`, description: cause.message };
	}
	const isVague = isBroken(error) || (remedy === undefined && cause === undefined);
	return {
		// n8n names it otherwise.
		message: summary.replace(/^List (?=[A-Z])/, 'Get Many '),
		description: joinSentences([isVague ? retry(operation) : remedy, causeDescription(error)]),
	};
}

/** A lost response to a POST shows nothing about what the service did. */
function retry(operation: ErrorMessageContext['operation']): string {
	const isPost = operation && 'method' in operation && operation.method === 'POST';
	return `Retry${isPost ? '' : ': nothing was created or changed'}. If it keeps failing, tell the Screen Advertising team.`;
}

type ByOperation = Readonly<Record<string, (context: ErrorMessageContext) => ErrorMessage>>;

const screenMissing = ({ given }: ErrorMessageContext): ErrorMessage => ({
	message: `No screen has the ID "${given('screenId')}", or it cannot be booked (404)`,
	description:
		'Check the ID, or choose the screen From List. Screen > Get Many returns the IDs of all screens that can be booked.',
});

const couponMissing = ({ given }: ErrorMessageContext): ErrorMessage => ({
	message: `No coupon has the code "${given('code')}" (404)`,
	description:
		'Check the code for typos: it is in the code field of the Create Coupon output. This credential cannot see coupons of another access.',
});

/** A record that the user named and the service does not have (404). */
const missing: ByOperation = {
	'screen.get': screenMissing,
	'screen.availability': screenMissing,
	'coupon.get': couponMissing,
	'coupon.revoke': couponMissing,
	'campaignRequest.get': ({ given }) => ({
		message: `You have no campaign request with the ID "${given('id')}" (404)`,
		description:
			'Check the ID, or choose the campaign request From List. Campaign Request > Get Many returns the IDs of all of yours.',
	}),
};

/** Describes the 404 of any other operation; undefined when the user named no record. */
function recordMissing({ operation, given }: ErrorMessageContext): ErrorMessage | undefined {
	const field = operation && formFields(operation).find((field) => field.in === 'path');
	if (!field) return undefined;
	return {
		message: `${operation.title} found no record "${given(field.name)}" (404)`,
		description: `Check '${field.title}' for typos. This credential cannot see records of another access.`,
	};
}

/** A 404 when the user named no record, or that nothing shows to be the service's own. */
const addressUnknown = ({ credential }: ErrorMessageContext): ErrorMessage => ({
	message: 'The service was not found at the base URL (404)',
	description: `Check the base URL in the ${credential}: it ends in /api/v1.`,
});

/**
 * Describes the 400 of a revocation (section 4.7). Only the words of the service say whether the
 * coupon is gone.
 */
function notRevoked(
	{ given }: ErrorMessageContext,
	{ problem }: ScreenAdvertisingError,
): ErrorMessage {
	const words = `${problem?.title ?? ''} ${problem?.detail ?? ''}`;
	const isGone = /\b(was|is|been|already) (revoked|redeemed|expired|used)\b/i.test(words);
	return {
		message: `Coupon "${given('code')}" cannot be revoked: it is no longer active, or was already redeemed (400)`,
		description: joinSentences([
			isGone && 'If you wanted it gone, there is nothing left to do',
			'Coupon > Get shows its status',
		]),
	};
}

const period =
	"'From' and 'To' are the first and last day, as YYYY-MM-DD, and 'To' must not be before 'From'.";
const places =
	"Spell 'Orientation' as in the orientation field of a screen, and write 'Bounding Box' as the service expects it, usually west,south,east,north.";

/** The values to check when the service rejects a request (400, 422 and so on). */
const hints: Readonly<Record<string, string>> = {
	'screen.list': places,
	'screen.findNearby': places,
	'screen.findAvailable': `${period} ${places}`,
	'screen.availabilityChanged': `${period} ${places}`,
	'screen.availability': period,
	'coupon.create':
		"Percent must be at most 100. A past 'Valid Until' or certain characters in 'Code' may also be rejected.",
	'coupon.revoke': 'Coupon > Get shows whether the coupon is still active.',
	'user.lookup': 'A VAT number starts with its country, such as DE123456789.',
	'landingLink.create':
		'Use the fields you agreed on with the Screen Advertising team, spelled exactly the same.',
	'campaignRequest.list':
		"Write 'From' and 'To' as YYYY-MM-DD, and spell 'Industry' as in the industry field of a campaign request.",
};

/** Values that the service rejected. */
function refused(
	status: number,
	context: ErrorMessageContext,
	error: ScreenAdvertisingError,
): ErrorMessage {
	const { name = '' } = context.operation ?? {};
	if (name === 'coupon.revoke' && status === 400) return notRevoked(context, error);
	return {
		message: `The service rejected the request (${status})`,
		description: ['Fix what the service names, then retry.', hints[name]].join(' ').trim(),
	};
}

/** Whether the connection broke, so that there is nothing to check and the request can be retried. */
function isBroken(error: ScreenAdvertisingError): boolean {
	const { code, isRetryable } = error;
	const isSent = error instanceof TransportError && error.sent === 'maybe';
	return isSent && isRetryable && code === 'network_error';
}

/** The text in the dialog of a credential after a failed test. */
export function credentialTestFailureText(error: ScreenAdvertisingError): string {
	const { code, summary, said, remedy } = error;
	const isPassing = isBroken(error) || code === 'service_error';
	const todo = isPassing ? 'Test again in a minute.' : remedy;
	return `${joinSentences([summary, said, todo])}${localhostInContainerHint(summary)}`;
}

/** Inside a container the loopback address is the container itself, where nothing may listen. */
export function localhostInContainerHint(message: string): string {
	return /(^|\s)(127\.|localhost|\[::1\])\S* refused/.test(message)
		? ' If n8n runs in a container, use host.docker.internal instead of this host.'
		: '';
}
