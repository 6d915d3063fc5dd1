import { operations } from '@screen-advertising/core';
import {
	findNearbyScreens,
	notesOf,
	compoundOperations,
} from '@screen-advertising/core/availability';
import type { IExecuteFunctions } from 'n8n-workflow';
import { form } from '../../form';
import { fromCatalogue, listProperties, readLimit } from '../../fromCatalogue';
import type { NodeOperation } from '../../operation';
import { screenOutput } from './screenOutput';

const list = fromCatalogue(operations['screen.list'], { output: screenOutput });
const nearby = compoundOperations['screen.findNearby'];
const fields = form(nearby, { collection: 'Filters', optional: ['near'] });

/** The list of the service, or, near a place, a search of the whole list. */
export const getManyScreens: NodeOperation = {
	...list,
	form: nearby,
	properties: listProperties(fields, screenOutput.properties),
	async run(item) {
		const { client, context, index, signal } = item;
		const input = fields.read(context, index);
		const { near, radius_km, sort_by } = input as Partial<typeof input>;
		if ((near ?? radius_km ?? sort_by) === undefined) return await list.run(item);
		const limit = readLimit(item, nearby);
		const { screens, ...others } = await findNearbyScreens(client, input, { signal });
		hint(context, others);
		const shape = screenOutput.shape(item);
		return screens.slice(0, limit).map((screen) => shape({ ...screen }));
	},
};

/** Says above the output what a search left out. */
export function hint(context: IExecuteFunctions, leftOut: Parameters<typeof notesOf>[0]): void {
	const hints = notesOf(leftOut).map((message) => ({ message, location: 'outputPane' as const }));
	if (hints.length > 0) context.addExecutionHints(...hints);
}
