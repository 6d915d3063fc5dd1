import {
	findAvailableScreens as find,
	type ScreenFailure,
	ScreenAdvertisingError,
	tasks,
} from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
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
		if (!context.continueOnFail()) throw unreadable(failures, first);
		return [...records, ...failures.map((failure) => failedItem(item, failure))];
	},
};

/** Without the screens that could not be read the result would only look complete. */
function unreadable(
	{ length }: readonly ScreenFailure[],
	{ error }: ScreenFailure,
): ScreenAdvertisingError {
	const { code, message, status, problem, isRetryable, retryAfter } = error;
	const what = length === 1 ? 'One screen' : `${length} screens`;
	return new ScreenAdvertisingError(
		code,
		`${what} could not be read, so nobody can tell whether the result is complete. Set On Error to Continue to get the other screens, and an item with the error for each that failed. The first error: ${message}`,
		{ status, problem, isRetryable, retryAfter },
	);
}

/** Says of which screen it is, in the one place where n8n still takes the item for an error. */
function failedItem({ context, index }: Item, { screen, error }: ScreenFailure): IDataObject {
	const shown = toNodeError(error, { node: context.getNode(), operation, itemIndex: index });
	const { error: message, details } = toErrorItem(error, shown);
	const { id, name } = screen;
	return { error: message, details: { ...(details as IDataObject), screen_id: id, screen: name } };
}
