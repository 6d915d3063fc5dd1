import { operations } from '@screen-advertising/core';
import { form } from '../../shared/form';
import { type NodeOperation, sendForm } from '../../shared/operation';
import { campaignRequestLocator } from './locator';

const operation = operations['campaignRequest.get'];
const fields = form(operation, { own: { id: campaignRequestLocator } });

export const getCampaignRequest: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get campaign request',
	properties: fields.properties,
	run: async (item) => await sendForm(item, operation, fields),
};
