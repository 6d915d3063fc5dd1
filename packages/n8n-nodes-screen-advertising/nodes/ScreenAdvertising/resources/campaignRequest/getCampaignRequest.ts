import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';
import { campaignRequestLocator } from './campaignRequestLocator';

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
