import { createHash } from 'node:crypto';
import {
	ConfigurationError,
	ScreenAdvertisingError,
	type WebhookEvent,
} from '@screen-advertising/core';
import { safeOutsideText } from '@screen-advertising/core/platform';
import type { RelayClient, RelaySubscription } from '@screen-advertising/core/relay';
import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { localhostInContainerHint } from '../../lib/errorMessages';
import { chosenEventTypes } from '../../lib/eventProperties';
import { credentialDisplayName, nodeInWorkflow } from '../../lib/nodeErrors';
import { relayCredentialType, relayClientOfNode } from '../../lib/relay';
import { n8nClock } from '../../lib/transport';
import { triggerOption } from '../../lib/values';
import { properties } from './ScreenAdvertisingTrigger.description';

/** The longest name that the relay accepts. */
const maxName = 160;

/** Total deadline of each request; publishing blocks on it. */
const deadline = { deadlineMs: 10_000 };

/**
 * An event that arrives before the editor knows that n8n listens would leave it listening for good.
 */
const headStartMs = 1_000;

/** The relay waits 15 s for n8n. */
const testMs = 20_000;

/**
 * Whether the relay delivers the chosen events to the workflow's current address. n8n asks when it
 * starts, in each of its main processes, and when a user publishes.
 */
export async function isSubscribed(this: IHookFunctions): Promise<boolean> {
	if (this.getMode() === 'manual') return false;
	try {
		const desired = await desiredSubscription(this);
		const stored = storedFor(this, desired);
		if (!stored || !isFor(desired, stored)) return false;
		const found = await desired.relay
			.getSubscription(stored.id, deadline)
			.catch((error: unknown) => {
				if (!isStart(this) || !isUnavailable(error)) throw error;
				// Otherwise n8n would remove the webhook, and the subscription with it.
				this.logger.warn(subscriptionUnchecked(this, error));
				return true as const;
			});
		return found === true || isLive(found, desired);
	} catch (error) {
		throw lifecycleError(this, error);
	}
}

/**
 * Subscribes this webhook. The relay keeps one subscription for each key and URL. So processes that
 * start together, or one killed before n8n saved the ID, leave no second one, and it continues where
 * it stopped. With another key or URL it is a new one, which also gets what the one before has not.
 */
export async function subscribe(this: IHookFunctions): Promise<boolean> {
	try {
		const desired = await desiredSubscription(this);
		const { relay, targetUrl } = desired;
		const isTest = this.getMode() === 'manual';
		const { id, state, off_reason, skipped } = await relay.subscribe(
			{
				target_url: targetUrl,
				events: desired.events as WebhookEvent['type'][],
				name: subscriptionName(this),
				...(isTest ? { catch_up: false } : publishing(this, desired)),
			},
			deadline,
		);
		if (state !== 'active') throw switchedOff(this, off_reason);
		rememberSubscription(this, id, desired);
		if (skipped && !isTest) this.logger.warn(skippedEvents(this, skipped));
		if (isTest) void offerTestEvent(this, relay, id);
		else if (this.getActivationMode() === 'activate') await probe(this, desired, id);
		return true;
	} catch (error) {
		throw lifecycleError(this, error);
	}
}

function publishing(context: IHookFunctions, desired: DesiredSubscription) {
	const before = storedFor(context, desired);
	return {
		...(before && { replaces: before.id }),
		...(triggerOption(context, properties, 'catchUp') === true && { catch_up: true }),
	};
}

/**
 * Ends the subscription to this webhook. Its ID stays, because n8n does this before it publishes
 * another version, which may use another key. n8n stores static data whole, and a delivery at the
 * wrong moment takes the ID away, so the relay is asked for it. It throws nothing: n8n would silently
 * leave the webhooks of the other nodes in place.
 */
export async function unsubscribe(this: IHookFunctions): Promise<boolean> {
	try {
		const { relay, targetUrl } = await desiredSubscription(this);
		const { data } = await relay.listSubscriptions({ target_url: targetUrl }, deadline);
		for (const { id } of data) await relay.unsubscribe(id, deadline);
	} catch (error) {
		this.logger.error(unsubscribeFailed(this, error));
	}
	return true;
}

/**
 * Has the relay deliver the newest stored event, or a sample, to the editor that listens for a test
 * event. The caller does not wait for it, so it never rejects.
 */
async function offerTestEvent(
	context: IHookFunctions,
	relay: RelayClient,
	subscription: string,
): Promise<void> {
	try {
		await n8nClock.sleep(headStartMs);
		const result = await relay.sendTest(subscription, { deadlineMs: testMs });
		const failure = failureOf(result);
		if (failure !== undefined) throw new Error(failure);
	} catch (error) {
		context.logger.warn(testEventFailed(context, error));
	}
}

/** Reports at once if no event could arrive. */
async function probe(
	context: IHookFunctions,
	{ relay, targetUrl }: DesiredSubscription,
	id: string,
) {
	const result = await relay.sendTest(id, { deadlineMs: testMs }).catch(() => undefined);
	const failure = failureOf(result);
	if (failure !== undefined) throw targetUnreachable(context, targetUrl, failure);
}

type TestResult = Awaited<ReturnType<RelayClient['sendTest']>>;

/**
 * Why a test event did not reach n8n. Two cases are not failures: a subscription that is gone
 * because the editor stopped listening, and the 404 that n8n itself sends when no editor listens.
 */
function failureOf(result: TestResult): string | undefined {
	if (!result || result.delivered || result.status === 404) return undefined;
	return result.error ?? 'it did not respond';
}

function isLive(found: RelaySubscription | undefined, { events }: DesiredSubscription): boolean {
	return found?.state === 'active' && isSame(found.events, events);
}

function isFor(
	{ targetUrl, key, events }: DesiredSubscription,
	stored: StoredSubscription,
): boolean {
	const isOfKey = stored.targetUrl === targetUrl && stored.key === key;
	return isOfKey && isSame(stored.events, events);
}

function isSame(kinds: unknown, events: readonly string[]): boolean {
	return Array.isArray(kinds) && [...kinds].sort().join() === events.join();
}

/** n8n is starting, or another of its processes takes the lead. */
function isStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function isUnavailable(error: unknown): boolean {
	return ScreenAdvertisingError.isInstance(error) && error.isRetryable;
}

function subscriptionName(context: IHookFunctions): string {
	const kind = context.getMode() === 'manual' ? 'n8n, test' : 'n8n';
	return `${context.getWorkflow().name?.slice(0, maxName).toWellFormed()} (${kind})`;
}

/** The subscription this trigger should have. */
interface DesiredSubscription {
	readonly relay: RelayClient;
	readonly targetUrl: string;
	/** Sorted, as the relay keeps them. */
	readonly events: readonly string[];
	/** Hash of instance, workflow, node and relay: a copied workflow replaces nothing of the original. */
	readonly owner: string;
	/** Hash of the connector key, with which the relay signs what it delivers. */
	readonly key: string;
}

/** The user waits for it; a test event may take the relay 15 s. */
const requestOptions = { retry: { attempts: 3, maxWaitMs: 5_000 }, timeoutMs: 20_000 };

/** Throws ConfigurationError, or an error that n8n shows when the node has no event. */
async function desiredSubscription(context: IHookFunctions): Promise<DesiredSubscription> {
	const targetUrl = context.getNodeWebhookUrl('default');
	const events = [...new Set(chosenEventTypes(context.getNodeParameter('events', [])))].sort();
	if (targetUrl === undefined || events.length === 0) {
		throw new NodeOperationError(context.getNode(), 'Choose at least one event in this node.', {
			level: 'warning',
		});
	}
	const { baseUrl, connectorKey } = await context.getCredentials(relayCredentialType);
	return {
		relay: await relayClientOfNode(context, requestOptions),
		targetUrl,
		events,
		owner: ownerOf(context, baseUrl),
		key: hashOf(connectorKey),
	};
}

/** An imported or copied workflow contains the ID of a subscription that belongs to the original. */
function ownerOf(context: IHookFunctions, baseUrl: unknown): string {
	const place = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
	return hashOf([...place, baseUrl]);
}

function hashOf(facts: unknown): string {
	return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** The static data about a subscription, in addition to the keys of its deliveries. */
interface StoredSubscription {
	readonly id: string;
	readonly owner: string;
	readonly key: string;
	readonly targetUrl: string;
	readonly events: readonly string[];
}

/** The latest subscription that this very workflow made; undefined for any other. */
function storedFor(
	context: IHookFunctions,
	{ owner }: DesiredSubscription,
): StoredSubscription | undefined {
	const stored = context.getWorkflowStaticData('node').subscription as
		| StoredSubscription
		| undefined;
	return stored?.owner === owner ? stored : undefined;
}

/** n8n saves it once every webhook of the workflow is registered. */
function rememberSubscription(
	context: IHookFunctions,
	id: string,
	{ owner, key, targetUrl, events }: DesiredSubscription,
): void {
	const stored = { id, owner, key, targetUrl, events: [...events] };
	context.getWorkflowStaticData('node').subscription = stored;
}

/*
 * The texts that n8n shows when a workflow could not be published, and logs. Some versions show only
 * the message, so it holds everything. No message may hold the word that makes n8n give up a
 * workflow for good at its start; the core keeps it out of its quotes.
 */

const reachable =
	'Set WEBHOOK_URL of n8n to an https address that the relay can reach, such as that of a tunnel, or have the operator of the relay add the host to RELAY_ALLOW_TARGETS.';

/** Turns any failure to subscribe into an error that n8n shows. */
function lifecycleError(context: IHookFunctions, error: unknown): Error {
	if (error instanceof NodeOperationError) return error;
	if (!ScreenAdvertisingError.isInstance(error)) return shown(context, messageOf(error));
	if (error instanceof ConfigurationError) {
		const credential = credentialDisplayName(context.getNode(), relayCredentialType);
		return shown(context, `The ${credential} cannot be used: ${error.message}`);
	}
	const refusal = refusedTarget(error);
	if (refusal !== undefined) return targetUnreachable(context, urlOf(context), refusal);
	return shown(context, `The workflow could not be subscribed at the relay. ${describe(error)}`);
}

/** The relay refused the target, or could not reach it. */
function targetUnreachable(context: IHookFunctions, targetUrl: string, why: string): Error {
	return shown(context, `The relay cannot deliver to ${targetUrl}: ${sentence(why)} ${reachable}`);
}

/** The relay stored the subscription, but will deliver nothing to it. */
function switchedOff(context: IHookFunctions, reason: string | null): Error {
	return shown(
		context,
		`The relay keeps the subscription switched off${reason ? ` (${reason})` : ''}, so no event would arrive. Ask the operator of the relay to switch it on, then publish again.`,
	);
}

/**
 * A line for n8n's log, the only place where n8n shows what happens when it unpublishes. The leftover
 * subscription does no harm, and ends on its own.
 */
function unsubscribeFailed(context: IHookFunctions, error: unknown): string {
	return `${nodeInWorkflow(context)} could not be unsubscribed from the relay. ${describe(error)} The relay keeps the subscription to ${urlOf(context)} until deliveries have failed for five days. To end it now, switch it off at the relay, or publish and unpublish the workflow once the relay responds.`;
}

/** A line for n8n's log: the workflow was unpublished for more than ten minutes. */
function skippedEvents(
	context: IHookFunctions,
	{ from, count }: NonNullable<RelaySubscription['skipped']>,
): string {
	const more = count >= maxCounted ? ' or more' : '';
	return `${nodeInWorkflow(context)} was unpublished for more than ten minutes. Events since ${from} that do not start it: ${count}${more}. With 'Include Missed Events', publishing starts it with them.`;
}

/** The relay counts no more of them. */
const maxCounted = 2000;

/** A line for n8n's log: n8n starts while the relay is unreachable. */
function subscriptionUnchecked(context: IHookFunctions, error: unknown): string {
	return `${nodeInWorkflow(context)} could not check its subscription at the relay and assumes it still exists. ${describe(error)} If no events arrive, publish the workflow again.`;
}

/** A line for n8n's log: the editor keeps listening. */
function testEventFailed(context: IHookFunctions, error: unknown): string {
	return `The relay did not deliver a test event to ${nodeInWorkflow(context)}. ${describe(error)} ${reachable}`;
}

function describe(error: unknown): string {
	if (!ScreenAdvertisingError.isInstance(error)) return sentence(messageOf(error));
	return `${sentence(error.message)}${localhostInContainerHint(error.message)}`;
}

/** Why the relay delivers nothing to a target, in the relay's words. */
function refusedTarget(error: ScreenAdvertisingError): string | undefined {
	const detail = error.problem?.detail;
	if (typeof detail !== 'string') return undefined;
	return /^target_url: (.+)$/.exec(safeOutsideText(detail))?.[1];
}

function shown(context: IHookFunctions, message: string): NodeOperationError {
	const error = new NodeOperationError(context.getNode(), message, { level: 'warning' });
	// n8n swaps in its own words for a message that names a network code.
	error.message = message;
	return error;
}

/** The message of an error that neither this package nor the core made. */
function messageOf(error: unknown): string {
	return safeOutsideText(error instanceof Error ? error.message : String(error));
}

function sentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function urlOf(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? 'the webhook of this node';
}
