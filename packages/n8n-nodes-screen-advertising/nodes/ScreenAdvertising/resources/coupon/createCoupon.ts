import { operations } from '@screen-advertising/core';
import { couponCode } from './couponCode';
import { form } from '../../form';
import { type NodeOperation, send } from '../../operation';
import { codePrefix, codePrefixOption, hasSafeRetries, safeRetriesOption } from '../../options';
import { leadMetadataFields, readLeadMetadata } from './leadMetadata';

const operation = operations['coupon.create'];
const fields = form(operation, { dates: ['valid_until'], extra: [leadMetadataFields] });

export const createCoupon: NodeOperation = {
	operation,
	value: 'create',
	name: 'Create',
	action: 'Create coupon',
	properties: fields.properties,
	options: [safeRetriesOption, codePrefixOption],
	async run(item) {
		const input = readLeadMetadata(item, fields.read(item.context, item.index));
		if (!hasSafeRetries(item)) return await send(item, operation, input);
		const { code = codePrefix(item) + couponCode(item.context, item.index, input.lead_email) } =
			input;
		return await send(item, operation, { ...input, code }, { adoptExisting: true });
	},
};
