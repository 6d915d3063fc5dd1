import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../shared/form';
import { callOptions, type NodeOperation } from '../../shared/operation';
import { screenLocator } from './locator';
import { outputProperties, shapeScreen } from './output';

const operation = operations['screen.get'];
const fields = form(operation, { own: { screenId: screenLocator } });

export const getScreen: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get screen',
	properties: [...fields.properties, ...outputProperties],
	async run(item) {
		const input = fields.read(item.context, item.index) as { screenId: string };
		const screen = await item.client.call(operation, input, callOptions(item));
		return shapeScreen(item, screen as IDataObject);
	},
};
