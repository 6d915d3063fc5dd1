import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { form } from '../../shared/form';
import { callOptions, type NodeOperation } from '../../shared/operation';
import { screenLocator } from './locator';

const operation = operations['screen.availability'];
const fields = form(operation, { own: { screenId: screenLocator } });

export const getScreenAvailability: NodeOperation = {
	operation,
	value: 'getAvailability',
	name: 'Get Availability',
	action: 'Get availability of screen',
	properties: fields.properties,
	async run(item) {
		const input = fields.read(item.context, item.index) as {
			screenId: string;
			from: string;
			to: string;
		};
		return (await item.client.call(operation, input, callOptions(item))) as IDataObject;
	},
};
