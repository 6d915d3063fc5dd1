import { operations } from '@screen-advertising/core';
import { form } from '../../form';
import { type NodeOperation, sendForm } from '../../operation';
import { screenLocator } from './locator';
import { outputProperties, screenShape } from './output';

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
