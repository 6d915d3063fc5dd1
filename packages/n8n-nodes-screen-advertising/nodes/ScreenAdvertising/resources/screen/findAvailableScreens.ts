import { operations } from '@screen-advertising/core';
import {
	type AvailableScreen,
	findAvailableScreens as find,
	searchNotes,
	type ScreenFailure,
	compoundOperations,
} from '@screen-advertising/core/availability';
import { withCurrencyAmounts } from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import type { IDataObject, INodeProperties, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { errorMessage } from '../../../../lib/errorMessages';
import { toErrorItem, toNodeError, credentialDisplayName } from '../../../../lib/nodeErrors';

import { listProperties, readLimit, formFromCatalogue } from '../../fromCatalogue';

import type { InputItem, NodeOperation } from '../../operation';
import { addCountHint, dateHasPassedHint } from '../../hints';
import {
	readOutputSettings,
	outputProperties,
	pickMembers,
	pickMembersWithDistance,
	screenFormatter,
} from './screenOutput';

const operation = compoundOperations['screen.findAvailable'];
const fields = formFromCatalogue(operation, { collection: 'Filters' });

/** Ten fields with the prices: n8n's limit for simplified output. A table shows the first ones. */
const simplified = [
	...['id', 'name', 'city', 'address'],
	...['available_sov_pct', 'price_per_day', 'total_price', 'total_price_cents', 'from', 'to'],
];

/** Added to the selected fields of the screen; replaces those that both have. */
const availability = [
	...['from', 'to', 'days', 'available_sov_pct'],
	...['price_per_day_cents', 'total_price_cents', 'distance_km'],
];

const requestsNotice: INodeProperties = {
	displayName:
		'Makes one request per matching screen. Once the requests per minute of your credential are used up, it waits: with 600 of them, 1,000 screens take about a minute.',
	name: 'requestsNotice',
	type: 'notice',
	default: '',
};

export const findAvailableScreens: NodeOperation = {
	operation,
	value: 'findAvailable',
	name: 'Find Available',
	action: 'Find available screens',
	properties: [...listProperties(fields, outputProperties), requestsNotice],
	...(fields.options && { options: fields.options }),
	prepare(item) {
		const input = fields.read(item);
		parseInput(operation, input);
		const limit = readLimit(item, operation);
		const shape = shapeOf(item);
		return async () => await findAvailable(item, input, { limit, shape });
	},
};

type Input = ReturnType<typeof fields.read>;
type Shape = (found: AvailableScreen) => IDataObject;

async function findAvailable(
	item: InputItem,
	input: Input,
	{ limit, shape }: { readonly limit: number; readonly shape: Shape },
): Promise<IDataObject[]> {
	const { client, context, signal, hints } = item;
	const { screens, failures, ...leftOut } = await find(client, input, { signal });
	for (const note of searchNotes(leftOut)) hints.add(note);
	hints.add(dateHasPassedHint(context, 'To', input.to, 'nothing can be booked any more'), 'past');
	const { length } = screens;
	if (length > limit) addCountHint(hints, limit, length, operation);
	// Finding the first ones means reading every screen.
	const records = screens.slice(0, limit).map(shape);
	const [first] = failures;
	if (!first) return records;
	if (!context.continueOnFail()) throw unreadable(item, failures, first);
	return [...records, ...failures.map((failure) => failedItem(item, failure))];
}

/** One level deep, so that each field can be a column of a spreadsheet. */
function shapeOf(item: InputItem): Shape {
	const shape = screenFormatter(item);
	const output = readOutputSettings(item);
	return (found) => {
		const {
			screen: { ...screen },
			...rest
		} = found;
		if (output === 'raw') return { ...rest, screen };
		if (output === 'selectedFields') {
			return { ...shape(screen), ...pickMembers(rest, availability) };
		}
		return pickMembersWithDistance(withCurrencyAmounts({ ...screen, ...rest }), simplified, 'city');
	};
}

/** A result that silently left out unreadable screens would look complete. */
function unreadable(
	{ context, index }: InputItem,
	{ length }: readonly ScreenFailure[],
	{ screen, error }: ScreenFailure,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const first = errorMessage(error, {
		...ofScreen(screen),
		credential: credentialDisplayName(node),
	});
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
function failedItem({ context, index }: InputItem, { screen, error }: ScreenFailure): IDataObject {
	const { id, name } = screen;
	const shown = toNodeError(error, {
		node: context.getNode(),
		...ofScreen(screen),
		itemIndex: index,
	});
	const { error: message, details } = toErrorItem(error, shown);
	return { error: message, details: { ...(details as IDataObject), screen_id: id, screen: name } };
}
