import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { limitProperty, readList, returnAllProperty } from '../../list';
import type { NodeOperation } from '../../operation';
import { outputProperties, screenShape } from './screenOutput';

const operation = operations['screen.list'];
// Return All and Limit set the page size and cursor.
const fields = form(operation, { collection: 'Filters', omit: ['limit', 'cursor'] });

export const getManyScreens: NodeOperation = {
	operation,
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many screens',
	properties: [returnAllProperty, limitProperty, ...outputProperties, ...fields.properties],
	async run(item) {
		const filters = fields.read(item.context, item.index);
		return await readList(item, operation, filters, screenShape(item));
	},
};
