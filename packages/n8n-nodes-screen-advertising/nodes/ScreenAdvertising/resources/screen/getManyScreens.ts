import { InputError, operations, type Screen } from '@screen-advertising/core';
import {
	findNearbyScreens,
	nearbyRecords,
	searchNotes,
	compoundOperations,
	sortByDistanceOrPrice,
} from '@screen-advertising/core/availability';
import { parseInput } from '@screen-advertising/core/platform';
import {
	operationFromCatalogue,
	listProperties,
	readLimit,
	formFromCatalogue,
} from '../../fromCatalogue';

import { addCountHint } from '../../hints';
import type { InputItem, NodeOperation } from '../../operation';
import { screenOutput } from './screenOutput';

const list = operationFromCatalogue(operations['screen.list'], { output: screenOutput });
const nearby = compoundOperations['screen.findNearby'];
const fields = formFromCatalogue(nearby, { collection: 'Filters', optional: ['near'] });

/** The list of the service, or, near a place, a search of the whole list. */
export const getManyScreens: NodeOperation = {
	...list,
	form: nearby,
	properties: listProperties(fields, screenOutput.properties),
	...(fields.options && { options: fields.options }),
	prepare(item) {
		const { client, signal, hints } = item;
		const input = fields.read(item);
		const { near, radius_km, sort_by } = input as Partial<typeof input>;
		if ((near ?? radius_km ?? sort_by) === undefined) return list.prepare(item);
		if (near === undefined && radius_km !== undefined) throw needsPlace("'Radius in Kilometers'");
		if (near === undefined && sort_by === 'nearest') throw needsPlace("'Sort By' Nearest");
		if (near !== undefined) parseInput(nearby, input);
		const limit = readLimit(item, nearby);
		const shape = screenOutput.shape(item);
		return async () => {
			const found = near !== undefined && (await findNearbyScreens(client, input, { signal }));
			const screens = found ? nearbyRecords(found.screens) : await cheapestFirst(item, input);
			const { withoutCoordinates = [] } = found || {};
			for (const note of searchNotes({ withoutCoordinates }))
				hints.add(note, 'without coordinates');
			const { length } = screens;
			if (length > limit) addCountHint(hints, limit, length, nearby);
			return screens.slice(0, limit).map((screen) => shape({ ...screen }));
		};
	},
};

const ofPlace: ReadonlySet<string> = new Set(['near', 'radius_km', 'sort_by']);

/** The service sorts nothing, so all screens are read. */
async function cheapestFirst({ client, signal }: InputItem, input: object): Promise<Screen[]> {
	const filters = Object.fromEntries(Object.entries(input).filter(([name]) => !ofPlace.has(name)));
	const screens: Screen[] = [];
	const all = client.items(operations['screen.list'], filters, { signal });
	for await (const screen of all) screens.push(screen);
	return sortByDistanceOrPrice(screens, 'cheapest');
}

function needsPlace(other: string): InputError {
	return new InputError(nearby.title, [{ field: 'near', message: `is required with ${other}` }]);
}
