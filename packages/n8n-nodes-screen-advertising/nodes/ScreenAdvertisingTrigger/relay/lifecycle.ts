import { ScreenAdvertisingError, type WebhookEvent } from '@screen-advertising/core';
import type { RelayClient, RelaySubscription } from '@screen-advertising/core/relay';
import type { IHookFunctions } from 'n8n-workflow';
import { clock } from '../../../lib/transport/transport';
import { toggleOf } from '../../../lib/values';
import {
	lifecycleError,
	noTestEvent,
	notRemoved,
	skippedEvents,
	switchedOff,
	targetUnreachable,
	unverifiedSubscription,
} from './lifecycleMessages';
import {
	type DesiredSubscription,
	desiredSubscription,
	rememberSubscription,
	type StoredSubscription,
	storedFor,
} from './subscription';

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
				this.logger.warn(unverifiedSubscription(this, error));
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
				name: nameOf(this),
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
	const { catchUp } = context.getNodeParameter('options', {}) as { readonly catchUp?: unknown };
	const before = storedFor(context, desired);
	return {
		...(before && { replaces: before.id }),
		...(toggleOf(catchUp) && { catch_up: true }),
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
		this.logger.error(notRemoved(this, error));
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
		await clock.sleep(headStartMs);
		const result = await relay.sendTest(subscription, { deadlineMs: testMs });
		const failure = failureOf(result);
		if (failure !== undefined) throw new Error(failure);
	} catch (error) {
		context.logger.warn(noTestEvent(context, error));
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

type Result = Awaited<ReturnType<RelayClient['sendTest']>>;

/**
 * Why a test event did not reach n8n. Two cases are not failures: a subscription that is gone
 * because the editor stopped listening, and the 404 that n8n itself sends when no editor listens.
 */
function failureOf(result: Result): string | undefined {
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

function nameOf(context: IHookFunctions): string {
	const kind = context.getMode() === 'manual' ? 'n8n, test' : 'n8n';
	return `${context.getWorkflow().name?.slice(0, maxName).toWellFormed()} (${kind})`;
}
