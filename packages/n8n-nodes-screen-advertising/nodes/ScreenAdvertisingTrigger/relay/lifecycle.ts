import { ScreenAdvertisingError, type WebhookEvent } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import type { RelayClient, RelaySubscription } from '@screen-advertising/core/relay';
import type { IHookFunctions } from 'n8n-workflow';
import { relayPages, tooSlow } from '../../../lib/relay';
import { clock } from '../../../lib/transport/transport';
import {
	copied,
	lifecycleError,
	noTestEvent,
	notRemoved,
	stillSubscribed,
	switchedOff,
	unreachable,
	unverifiedSubscription,
} from './lifecycleMessages';
import {
	rememberSubscription,
	storedFor,
	type DesiredSubscription,
	desiredSubscription,
} from './subscription';

/** The longest name that the relay accepts. */
const longestName = 160;

/** Total deadline of each request; publishing blocks on it. */
const deadline = { deadlineMs: 10_000 };

/** Milliseconds for a list and for removing what it names, for the same reason. */
const longestList = 30_000;

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
		if (!stored || !isFor(desired, stored.targetUrl, stored.events)) return false;
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
 * Leaves exactly one subscription at the relay for this n8n, whatever existed before. For the same
 * key, URL and events the relay returns the same subscription. So processes that start together, or
 * one killed before n8n saved the ID, leave no second one. The new subscription takes over what the
 * previous one has not delivered, and the previous one is removed last: an event in between arrives
 * twice, and starts the workflow once. One with another URL may belong to the n8n that this one was
 * copied from, so the relay finds out who receives there.
 */
export async function subscribe(this: IHookFunctions): Promise<boolean> {
	try {
		const desired = await desiredSubscription(this);
		const { relay, targetUrl } = desired;
		const events = desired.events as WebhookEvent['type'][];
		const isTest = this.getMode() === 'manual';
		const options = this.getNodeParameter('options', {}) as { readonly catchUp?: boolean };
		const catchUp = options.catchUp === true && !isTest && { catch_up: true };
		const before = storedFor(this, desired);
		const put = async (replaced?: { readonly id: string; readonly targetUrl: string }) => {
			const replaces = replaced && { replaces: replaced.id };
			const name = nameOf(this, desired);
			const input = { target_url: targetUrl, events, name, ...replaces, ...catchUp };
			const subscription = await relay.subscribe(input, deadline);
			if (subscription.state !== 'active') throw switchedOff(this, subscription.off_reason);
			if (replaced) logOtherTarget(this, desired, subscription, replaced.targetUrl);
			return subscription;
		};
		const { id } = await put(before);
		rememberSubscription(this, id, desired);
		const others = await removeLeftovers(desired, { keep: id, tag: tagOf(this, desired), isTest });
		for (const other of others) if (other.id !== before?.id) await put(other);
		if (isTest) void offerTestEvent(this, relay, id);
		else if (this.getActivationMode() === 'activate') await probe(this, desired, id);
		return true;
	} catch (error) {
		throw lifecycleError(this, error);
	}
}

/**
 * Ends the subscription. Its ID stays, because n8n does this before it publishes another version,
 * which takes over what is not delivered yet. It throws nothing: n8n would silently leave the
 * webhooks of the other nodes in place. The next publishing removes what is left behind.
 */
export async function unsubscribe(this: IHookFunctions): Promise<boolean> {
	try {
		await removeLeftovers(await desiredSubscription(this));
	} catch (error) {
		this.logger.error(notRemoved(this, error));
	}
	return true;
}

interface Leftovers {
	readonly keep?: string;
	/**
	 * n8n stores static data whole, and a delivery at the wrong moment takes the ID away. n8n does
	 * not distinguish a trigger that is unpublished from one that listened for a test event, so only
	 * a new subscription looks for its tag.
	 */
	readonly tag?: string;
	readonly isTest?: boolean;
}

/**
 * A webhook URL belongs to one trigger, so every other subscription to it is left over. Returns those
 * of this trigger with another URL, except tests, which end with the editor that listened.
 */
async function removeLeftovers(
	{ relay, targetUrl }: DesiredSubscription,
	{ keep, tag, isTest = false }: Leftovers = {},
): Promise<{ id: string; targetUrl: string }[]> {
	const latest = clock.now() + longestList;
	const leftovers = new Set<string>();
	const others: { id: string; targetUrl: string }[] = [];
	for await (const { data } of relayPages(
		async (cursor) => await relay.listSubscriptions(cursor, deadline),
		longestList,
	)) {
		for (const { id, target_url: url, name } of data) {
			const hasTag = tag !== undefined && String(name).endsWith(tag);
			if (url === targetUrl || (hasTag && isTest)) leftovers.add(id);
			else if (hasTag) others.push({ id, targetUrl: String(url) });
		}
	}
	for (const id of leftovers) {
		if (id === keep) continue;
		if (clock.now() >= latest) throw tooSlow(longestList);
		await relay.unsubscribe(id, deadline);
	}
	return others;
}

/** The relay keeps a subscription to another URL unless this n8n receives there. */
function logOtherTarget(
	context: IHookFunctions,
	{ secrets }: DesiredSubscription,
	{ replaced }: RelaySubscription,
	otherUrl: string,
): void {
	const shownUrl = outsideText(otherUrl, { secrets });
	if (replaced === 'separate') context.logger.warn(copied(context, shownUrl));
	if (replaced === 'unreachable') context.logger.info(stillSubscribed(context, shownUrl));
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
	if (failure !== undefined) throw unreachable(context, targetUrl, failure);
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

function isLive(found: RelaySubscription | undefined, desired: DesiredSubscription): boolean {
	return found?.state === 'active' && isFor(desired, found.target_url, found.events);
}

function isFor({ targetUrl, events }: DesiredSubscription, url: string, kinds: unknown): boolean {
	const isList = Array.isArray(kinds);
	return url === targetUrl && isList && [...kinds].sort().join() === events.join();
}

/** n8n is starting, or another of its processes takes the lead. */
function isStart(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

function isUnavailable(error: unknown): boolean {
	return ScreenAdvertisingError.isInstance(error) && error.isRetryable;
}

function nameOf(context: IHookFunctions, desired: DesiredSubscription): string {
	const { name } = context.getWorkflow();
	return `${name?.slice(0, longestName).toWellFormed()} ${tagOf(context, desired)}`;
}

function tagOf(context: IHookFunctions, { owner }: DesiredSubscription): string {
	return `(${context.getMode() === 'manual' ? 'n8n, test' : 'n8n'} ${owner})`;
}
