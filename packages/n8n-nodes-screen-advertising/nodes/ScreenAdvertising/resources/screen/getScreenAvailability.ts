import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';
import { screenLocator } from './screenLocator';

const operation = operations['screen.availability'];
const fields = form(operation, { own: { screenId: screenLocator } });

export const getScreenAvailability: NodeOperation = {
	operation,
	value: 'getAvailability',
	name: 'Get Availability',
	action: 'Get availability of screen',
	properties: fields.properties,
	run: async (item) => await sendForm(item, operation, fields),
};
