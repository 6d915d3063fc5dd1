import {
	findAvailableScreens as find,
	operations,
	type ScreenFailure,
	tasks,
} from '@screen-advertising/core';
import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { errorWords } from '../../shared/errorWords';
import { toErrorItem, toNodeError } from '../../shared/errors';
import { form } from '../../shared/form';
import type { Item, NodeOperation } from '../../shared/operation';
import { outputProperties, shapeScreen } from './output';

const operation = tasks['screen.findAvailable'];
const fields = form(operation, { collection: 'Filters' });

type Input = Parameters<typeof find>[1];

export const findAvailableScreens: NodeOperation = {
	operation,
	value: 'findAvailable',
	name: 'Find Available',
	action: 'Find available screens',
	properties: [...fields.properties, ...outputProperties],
	async run(item) {
		const { client, context, index, signal } = item;
		const input = fields.read(context, index) as Input;
		const { screens, failures } = await find(client, input, signal ? { signal } : {});
		const records = screens.map(({ screen, ...found }) => ({
			...found,
			screen: shapeScreen(item, screen as IDataObject),
		}));
		const [first] = failures;
		if (!first) return records;
		if (!context.continueOnFail()) throw unreadable(item, failures, first);
		return [...records, ...failures.map((failure) => failedItem(item, failure))];
	},
};

/** Without the screens that could not be read the result would only look complete. */
function unreadable(
	{ context, index }: Item,
	{ length }: readonly ScreenFailure[],
	{ screen, error }: ScreenFailure,
): NodeApiError | NodeOperationError {
	const first = errorWords(error, ofScreen(screen));
	return toNodeError(error, {
		node: context.getNode(),
		itemIndex: index,
		words: {
			message: `${length === 1 ? 'One screen' : `${length} screens`} could not be read, so the result may be incomplete`,
			description: `Set On Error to Continue to get the other screens, and an item with the error for each that failed. The first error: ${first.message}. ${first.description}`,
		},
	});
}

const ofScreen = ({ id }: ScreenFailure['screen']) => ({
	operation: operations['screen.availability'],
	given: () => id,
});

/** Says of which screen it is, in the one place where n8n still takes the item for an error. */
function failedItem({ context, index }: Item, { screen, error }: ScreenFailure): IDataObject {
	const { id, name } = screen;
	const shown = toNodeError(error, {
		node: context.getNode(),
		...ofScreen(screen),
		itemIndex: index,
	});
	const { error: message, details } = toErrorItem(error, shown);
	return { error: message, details: { ...(details as IDataObject), screen_id: id, screen: name } };
}
