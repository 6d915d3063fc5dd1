import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { couponCode } from '../../shared/couponCode';
import { form } from '../../shared/form';
import { callOptions, type NodeOperation } from '../../shared/operation';
import { hasSafeRetries, safeRetriesOption } from '../../shared/options';
import { leadMetadataFields, readLeadMetadata } from './leadMetadata';

const operation = operations['coupon.create'];
const fields = form(operation, { extra: [leadMetadataFields] });

export const createCoupon: NodeOperation = {
	operation,
	value: 'create',
	name: 'Create',
	action: 'Create coupon',
	properties: fields.properties,
	options: [safeRetriesOption],
	async run(item) {
		const input = readLeadMetadata(item, fields.read(item.context, item.index));
		const isOurs = input.code === undefined && hasSafeRetries(item);
		const code = isOurs ? { code: couponCode(item.context, item.index, input) } : {};
		return (await item.client.call(operation, { ...input, ...code } as never, {
			...callOptions(item),
			// Only this very item can have created a coupon with a code of ours.
			adoptExisting: isOurs,
		})) as IDataObject;
	},
};
