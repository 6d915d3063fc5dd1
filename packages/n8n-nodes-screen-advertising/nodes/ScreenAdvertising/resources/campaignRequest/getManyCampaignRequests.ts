import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { limitProperty, readList, returnAllProperty } from '../../list';
import type { NodeOperation } from '../../operation';

const operation = operations['campaignRequest.list'];
// Return All and Limit decide on the cursor.
const fields = form(operation, {
	collection: 'Filters',
	dates: ['from', 'to'],
	omit: ['cursor'],
});

export const getManyCampaignRequests: NodeOperation = {
	operation,
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many campaign requests',
	properties: [returnAllProperty, limitProperty, ...fields.properties],
	async run(item) {
		return await readList(item, operation, fields.read(item.context, item.index));
	},
};
