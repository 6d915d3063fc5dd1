import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../shared/form';
import { callOptions, type NodeOperation } from '../../shared/operation';

const operation = operations['coupon.get'];
const fields = form(operation);

export const getCoupon: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get coupon',
	properties: fields.properties,
	async run(item) {
		const input = fields.read(item.context, item.index) as { code: string };
		return (await item.client.call(operation, input, callOptions(item))) as IDataObject;
	},
};
