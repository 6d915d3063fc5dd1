import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../shared/form';
import { callOptions, type NodeOperation } from '../../shared/operation';
import { campaignRequestLocator } from './locator';

const operation = operations['campaignRequest.get'];
const fields = form(operation, { own: { id: campaignRequestLocator } });

export const getCampaignRequest: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get campaign request',
	properties: fields.properties,
	async run(item) {
		const input = fields.read(item.context, item.index) as { id: string };
		return (await item.client.call(operation, input, callOptions(item))) as IDataObject;
	},
};
