import { ConfigurationError, ScreenAdvertisingError } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import type { RelaySubscription } from '@screen-advertising/core/relay';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { containerHint, credentialOf, nameOf } from '../../../lib/errors/sentences';
import { relayCredential } from '../../../lib/relay';

/*
 * What n8n shows when a workflow could not be published, and what it logs. Some versions show only
 * the message, so it holds everything. No message may hold the word that makes n8n give up a
 * workflow for good at its start; the core keeps it out of its quotes.
 */

const reachable =
	'Set WEBHOOK_URL of n8n to an https address that the relay can reach, such as that of a tunnel, or have the operator of the relay add the host to RELAY_ALLOW_TARGETS.';

/** Turns any failure to subscribe into an error that n8n shows. */
export function lifecycleError(context: IHookFunctions, error: unknown): Error {
	if (error instanceof NodeOperationError) return error;
	if (!ScreenAdvertisingError.isInstance(error)) return shown(context, messageOf(error));
	if (error instanceof ConfigurationError) {
		const credential = credentialOf(context.getNode(), relayCredential);
		return shown(context, `The ${credential} cannot be used: ${error.message}`);
	}
	const refusal = refusedTarget(error);
	if (refusal !== undefined) return targetUnreachable(context, urlOf(context), refusal);
	return shown(context, `The workflow could not be subscribed at the relay. ${describe(error)}`);
}

/** The relay refused the target, or could not reach it. */
export function targetUnreachable(context: IHookFunctions, targetUrl: string, why: string): Error {
	return shown(context, `The relay cannot deliver to ${targetUrl}: ${sentence(why)} ${reachable}`);
}

/** The relay stored the subscription, but will deliver nothing to it. */
export function switchedOff(context: IHookFunctions, reason: string | null): Error {
	return shown(
		context,
		`The relay keeps the subscription switched off${reason ? ` (${reason})` : ''}, so no event would arrive. Ask the operator of the relay to switch it on, then publish again.`,
	);
}

/**
 * For n8n's log, the only place where n8n shows what happens when it unpublishes. The leftover
 * subscription does no harm, and ends on its own.
 */
export function notRemoved(context: IHookFunctions, error: unknown): string {
	return `${nameOf(context)} could not be unsubscribed from the relay. ${describe(error)} The relay keeps the subscription to ${urlOf(context)} until deliveries have failed for five days. To end it now, switch it off at the relay, or publish and unpublish the workflow once the relay responds.`;
}

/** For n8n's log: the workflow was unpublished for more than ten minutes. */
export function skippedEvents(
	context: IHookFunctions,
	{ from, count }: NonNullable<RelaySubscription['skipped']>,
): string {
	const more = count >= maxCounted ? ' or more' : '';
	return `${nameOf(context)} was unpublished for more than ten minutes. Events since ${from} that do not start it: ${count}${more}. With 'Include Missed Events', publishing starts it with them.`;
}

/** The relay counts no more of them. */
const maxCounted = 2000;

/** For n8n's log: n8n starts while the relay is unreachable. */
export function unverifiedSubscription(context: IHookFunctions, error: unknown): string {
	return `${nameOf(context)} could not check its subscription at the relay and assumes it still exists. ${describe(error)} If no events arrive, publish the workflow again.`;
}

/** For n8n's log: the editor keeps listening. */
export function noTestEvent(context: IHookFunctions, error: unknown): string {
	return `The relay did not deliver a test event to ${nameOf(context)}. ${describe(error)} ${reachable}`;
}

function describe(error: unknown): string {
	if (!ScreenAdvertisingError.isInstance(error)) return sentence(messageOf(error));
	return `${sentence(error.message)}${containerHint(error.message)}`;
}

/** Why the relay delivers nothing to a target, in the relay's words. */
function refusedTarget(error: ScreenAdvertisingError): string | undefined {
	const detail = error.problem?.detail;
	if (typeof detail !== 'string') return undefined;
	return /^target_url: (.+)$/.exec(outsideText(detail))?.[1];
}

function shown(context: IHookFunctions, message: string): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { level: 'warning' });
	// n8n swaps in its own words for a message that names a network code.
	error.message = message;
	return error;
}

/** Of an error that neither this package nor the core made. */
function messageOf(error: unknown): string {
	return outsideText(error instanceof Error ? error.message : String(error));
}

function sentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function urlOf(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? 'the webhook of this node';
}
