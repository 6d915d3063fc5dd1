import { operations } from '@screen-advertising/core';
import { form } from '../../shared/form';
import { type NodeOperation, sendForm } from '../../shared/operation';

const operation = operations['coupon.get'];
const fields = form(operation);

export const getCoupon: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get coupon',
	properties: fields.properties,
	run: async (item) => await sendForm(item, operation, fields),
};
