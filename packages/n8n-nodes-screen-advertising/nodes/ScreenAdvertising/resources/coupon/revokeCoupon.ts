import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';

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
