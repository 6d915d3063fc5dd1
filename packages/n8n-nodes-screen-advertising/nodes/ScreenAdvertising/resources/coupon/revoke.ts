import { operations } from '@screen-advertising/core';
import { form } from '../../shared/form';
import { type NodeOperation, sendForm } from '../../shared/operation';

const operation = operations['coupon.revoke'];
const fields = form(operation);

export const revokeCoupon: NodeOperation = {
	operation,
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke coupon',
	properties: fields.properties,
	run: async (item) => await sendForm(item, operation, fields),
};
