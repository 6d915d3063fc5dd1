import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../form';
import type { NodeOperation } from '../../operation';
import { screenLocator } from './screenLocator';
import { outputProperties, screenShape } from './screenOutput';

const operation = operations['screen.get'];
const fields = form(operation, { own: { screenId: screenLocator } });

export const getScreen: NodeOperation = {
	operation,
	value: 'get',
	name: 'Get',
	action: 'Get screen',
	properties: [...fields.properties, ...outputProperties],
	async run(item) {
		const { client, context, index, signal } = item;
		const shape = screenShape(item);
		const screen = await client.call(operation, fields.read(context, index), { signal });
		return shape(screen as IDataObject);
	},
};
