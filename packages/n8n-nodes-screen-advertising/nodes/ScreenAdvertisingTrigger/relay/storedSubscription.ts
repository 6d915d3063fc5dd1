import type { IHookFunctions } from 'n8n-workflow';
import type { DesiredSubscription } from './desiredSubscription';

/** What n8n stores about a subscription, in addition to the keys of its deliveries. */
interface Stored {
	readonly id: string;
	readonly owner: string;
	readonly targetUrl: string;
	readonly events: readonly string[];
}

/**
 * The latest subscription that this very workflow made with the same key; undefined for any other.
 */
export function storedFor(
	context: IHookFunctions,
	{ owner }: DesiredSubscription,
): Stored | undefined {
	const stored = context.getWorkflowStaticData('node').subscription as Stored | undefined;
	return stored?.owner === owner ? stored : undefined;
}

/** n8n saves it once every webhook of the workflow is registered. */
export function store(context: IHookFunctions, id: string, desired: DesiredSubscription): void {
	const { owner, targetUrl, events } = desired;
	context.getWorkflowStaticData('node').subscription = {
		id,
		owner,
		targetUrl,
		events: [...events],
	};
}
