import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';

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
