import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';
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
	run: async (item) => screenShape(item)(await sendForm(item, operation, fields)),
};
