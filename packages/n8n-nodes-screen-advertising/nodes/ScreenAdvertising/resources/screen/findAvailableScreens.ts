import { operations } from '@screen-advertising/core';
import {
	type AvailableScreen,
	findAvailableScreens as find,
	type ScreenFailure,
	compoundOperations,
} from '@screen-advertising/core/availability';
import { withAmounts } from '@screen-advertising/core/forms';
import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { errorMessage } from '../../../../lib/errors/errorMessages';
import { credentialOf } from '../../../../lib/errors/sentences';
import { toErrorItem, toNodeError } from '../../../../lib/errors/nodeErrors';
import { form } from '../../form';
import { listProperties, readLimit } from '../../fromCatalogue';
import type { Item, NodeOperation } from '../../operation';
import { hint } from './getManyScreens';
import { outputOf, outputProperties, pick, pickNear, screenShape } from './screenOutput';

const operation = compoundOperations['screen.findAvailable'];
const fields = form(operation, { collection: 'Filters' });

/** Ten fields with the prices: n8n's limit for simplified output. */
const simplified = [
	...['id', 'name', 'city', 'address'],
	...['from', 'to', 'available_sov_pct', 'price_per_day', 'total_price', 'total_price_cents'],
];

/** Added to the selected fields of the screen; replaces those that both have. */
const availability = [
	...['from', 'to', 'days', 'available_sov_pct'],
	...['price_per_day_cents', 'total_price_cents', 'distance_km'],
];

export const findAvailableScreens: NodeOperation = {
	operation,
	value: 'findAvailable',
	name: 'Find Available',
	action: 'Find available screens',
	properties: listProperties(fields, outputProperties),
	async run(item) {
		const { client, context, index, signal } = item;
		const input = fields.read(context, index);
		const limit = readLimit(item, operation);
		const { screens, failures, ...leftOut } = await find(client, input, { signal });
		hint(context, leftOut);
		// Finding the first ones means reading every screen.
		const records = screens.slice(0, limit).map(shapeOf(item));
		const [first] = failures;
		if (!first) return records;
		if (!context.continueOnFail()) throw unreadable(item, failures, first);
		return [...records, ...failures.map((failure) => failedItem(item, failure))];
	},
};

/** One level deep, so that each field can be a column of a spreadsheet. */
function shapeOf(item: Item): (found: AvailableScreen) => IDataObject {
	const shape = screenShape(item);
	const output = outputOf(item);
	return (found) => {
		const {
			screen: { ...screen },
			...rest
		} = found;
		if (output === 'raw') return { ...rest, screen };
		if (output === 'selectedFields') {
			return { ...shape(screen), ...pick(rest, availability) };
		}
		return pickNear(withAmounts({ ...screen, ...rest }), simplified, 'city');
	};
}

/** A result that silently left out unreadable screens would look complete. */
function unreadable(
	{ context, index }: Item,
	{ length }: readonly ScreenFailure[],
	{ screen, error }: ScreenFailure,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const first = errorMessage(error, { ...ofScreen(screen), credential: credentialOf(node) });
	return toNodeError(error, {
		node,
		itemIndex: index,
		shown: {
			message: `${length === 1 ? 'One screen' : `${length} screens`} could not be read, so the result may be incomplete`,
			description: `Set 'On Error' to Continue to get the other screens, and an item with the error for each failed screen. First error: ${first.message}. ${first.description}`,
		},
	});
}

const ofScreen = ({ id }: ScreenFailure['screen']) => ({
	operation: operations['screen.availability'],
	given: () => id,
});

/** Names the screen in the one place where n8n still treats the item as an error. */
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
