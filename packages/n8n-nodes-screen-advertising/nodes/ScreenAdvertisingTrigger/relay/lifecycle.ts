import { ScreenAdvertisingError } from '@screen-advertising/core';
import type { RelaySubscription } from '@screen-advertising/core/relay';
import type { IHookFunctions } from 'n8n-workflow';
import { relayPages } from '../../../lib/relay/pages';
import {
	lifecycleError,
	notRemoved,
	switchedOff,
	unreachable,
	unverified,
} from './lifecycleMessages';
import { store, storedFor } from './storedSubscription';
import { failureOf, offerTestEvent, testMs } from './testEvent';
import { type DesiredSubscription, desiredSubscription } from './desiredSubscription';

/** The longest name that the relay accepts. */
const longestName = 160;

/** Total deadline of each request; publishing blocks on it. */
const deadline = { deadlineMs: 10_000 };

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
				this.logger.warn(unverified(this, error));
				return true as const;
			});
		return found === true || isLive(found, desired);
	} catch (error) {
		throw lifecycleError(this, error);
	}
}

/**
 * Leaves exactly one subscription at the relay, whatever existed before. For the same key, URL and
 * events the relay returns the same subscription. So processes that start together, or one killed
 * before n8n saved the ID, leave no second one. The new subscription takes over what the previous
 * one has not delivered, and the previous one is removed last: an event in between arrives twice,
 * and starts the workflow once.
 */
export async function subscribe(this: IHookFunctions): Promise<boolean> {
	try {
		const desired = await desiredSubscription(this);
		const { relay, targetUrl, events } = desired;
		const before = storedFor(this, desired);
		const replaces = before && { replaces: before.id };
		const { id, state, off_reason } = await relay.subscribe(
			{ targetUrl, events, name: nameOf(this, desired), ...replaces },
			deadline,
		);
		if (state !== 'active') throw switchedOff(this, off_reason);
		store(this, id, desired);
		await removeAll(desired, { known: before?.id, tag: tagOf(this, desired), keep: id });
		if (this.getMode() === 'manual') void offerTestEvent(this, relay, id);
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
		const desired = await desiredSubscription(this);
		await removeAll(desired, { known: storedFor(this, desired)?.id });
	} catch (error) {
		this.logger.error(notRemoved(this, error));
	}
	return true;
}

interface Leftovers {
	readonly known: string | undefined;
	/**
	 * n8n stores static data whole, and a delivery at the wrong moment takes the ID away. n8n does
	 * not distinguish a trigger that is unpublished from one that listened for a test event, so only
	 * a new subscription looks for its tag.
	 */
	readonly tag?: string;
	readonly keep?: string;
}

/** A webhook URL belongs to one trigger, so anything else that delivers to it is left over too. */
async function removeAll(
	{ relay, targetUrl }: DesiredSubscription,
	{ known, tag, keep }: Leftovers,
): Promise<void> {
	const ids = new Set(known === undefined ? [] : [known]);
	for await (const page of relayPages(
		async (cursor) => await relay.listSubscriptions(cursor, deadline),
	)) {
		for (const { id, target_url: url, name } of page) {
			if (url === targetUrl || (tag !== undefined && String(name).endsWith(tag))) ids.add(id);
		}
	}
	for (const id of ids) if (id !== keep) await relay.unsubscribe(id, deadline);
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
