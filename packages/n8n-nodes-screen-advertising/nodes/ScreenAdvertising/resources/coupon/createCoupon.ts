import { createHash } from 'node:crypto';
import { type CouponCreateParams, operations } from '@screen-advertising/core';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { shownWith } from '../../../../lib/properties';
import type { CustomField } from '../../form';
import { fromCatalogue } from '../../fromCatalogue';
import { pastHint } from '../../hints';
import { namedValues, namedValuesProperty } from '../../namedValues';
import type { Item, NodeOperation } from '../../operation';
import { readProperty } from '../../../../lib/values';
import { createOrFind } from './createOrFind';

const operation = operations['coupon.create'];

/** Names and values. An expression may also give a value that is not text. */
const leadMetadata: CustomField = {
	property: namedValuesProperty(
		{
			displayName: 'Lead Metadata',
			name: 'lead_metadata',
			placeholder: 'Add Metadata',
			description: 'Anything you want to keep with the coupon, such as a campaign name or a CRM ID',
		},
		{ name: 'crm_id', value: '42' },
	),
	read(item, given, written) {
		const pairs = {
			title: operation.title,
			label: 'Lead Metadata',
			written,
			type: 'json',
		} as const;
		const named = namedValues(item, pairs, given);
		return Object.keys(named).length > 0 ? named : undefined;
	},
};

const safeRetriesOption: INodeProperties = {
	displayName: 'Safe Retries',
	name: 'safeRetries',
	type: 'boolean',
	// Adding the option turns it on; without it, it is off.
	default: true,
	description:
		"Whether a retried execution finds its coupon instead of failing. When 'Code' is empty, a stable one is generated for each execution, item, and lead.",
};

const codePrefixOption = shownWith(safeRetriesOption, {
	displayName: 'Safe Retries Prefix',
	name: 'codePrefix',
	type: 'string',
	default: 'N8N-',
	placeholder: 'e.g. SPRING-',
	description:
		"Prefix of the codes that 'Safe Retries' generates. Your customers see the codes, such as SPRING-S2AEVJC8NQF5.",
});

export const createCoupon: NodeOperation = fromCatalogue(operation, {
	custom: { lead_metadata: leadMetadata },
	options: [safeRetriesOption, codePrefixOption],
	prepare(item, input) {
		const send = create(item, input);
		const { context, hints } = item;
		const { valid_until: end } = input;
		return async () => {
			const coupon = await send();
			hints.add(pastHint(context, 'Valid Until', end, 'the coupon may have expired'), 'past');
			return coupon;
		};
	},
});

function create(item: Item, input: CouponCreateParams): () => Promise<object> {
	const { client, context, index, signal } = item;
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const isSafe = readProperty(operation.title, safeRetriesOption, options.safeRetries, false);
	if (isSafe !== true) return async () => await client.call(operation, input, { signal });
	const { code: own } = input;
	if (own !== undefined) return async () => await createOrFind(item, { ...input, code: own });
	// Only an attempt of this execution can have used the code, so the coupon is new.
	const code = safeCode(context, index, input.lead_email, options);
	const more = { signal, adoptExisting: true };
	return async () => ({
		...(await client.call(operation, { ...input, code }, more)),
		created: true,
	});
}

/** Leaves out letters and digits that people confuse. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 12;

/**
 * Generates a code that is the same for every attempt at an item of an execution, and different
 * otherwise, so that no retry can create a second coupon. Of the input it uses only the lead:
 * expressions such as {{ $now }} give the other fields a new value with each attempt. The lead also
 * distinguishes an AI agent's calls, which may all belong to one item.
 */
function safeCode(
	context: IExecuteFunctions,
	index: number,
	leadEmail: unknown,
	{ codePrefix }: IDataObject,
): string {
	const memory = context.getContext('node');
	const identity = [
		context.getInstanceId(),
		context.getWorkflow().id,
		// The first one, also when a user retries a failed execution.
		(memory.executionId ??= context.getExecutionId()),
		context.getNode().id,
		context.getWorkflowDataProxy(index).$runIndex as unknown,
		index,
		leadEmail,
	];
	const digest = createHash('sha256').update(JSON.stringify(identity)).digest();
	const characters = [...digest.subarray(0, length)].map((byte) => alphabet[byte % 32]);
	// Surrounding white space is a pasting mistake, and customers could not type it from a printed
	// coupon.
	const prefix = String(codePrefix ?? codePrefixOption.default).trim();
	return prefix + characters.join('');
}
