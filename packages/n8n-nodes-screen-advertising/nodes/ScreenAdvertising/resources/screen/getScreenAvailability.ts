import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import type { NodeOperation } from '../../operation';
import { screenLocator } from './screenLocator';

const operation = operations['screen.availability'];
const fields = form(operation, { own: { screenId: screenLocator } });

export const getScreenAvailability: NodeOperation = {
	operation,
	value: 'getAvailability',
	name: 'Get Availability',
	action: 'Get availability of screen',
	properties: fields.properties,
	run: async ({ client, context, index, signal }) =>
		await client.call(operation, fields.read(context, index), { signal }),
};
