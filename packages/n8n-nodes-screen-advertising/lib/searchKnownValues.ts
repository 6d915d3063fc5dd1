import { type KnownField, knownValues, listOf } from '@screen-advertising/core/forms';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { clientFor } from './client';
import { toNodeError } from './errors/nodeErrors';

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes are for requests: people search by the name. */
function labelOf(field: KnownField, value: string): string {
	const country = field === 'country' && /^[A-Z]{2}$/.test(value) && countryNames.of(value);
	return country ? `${country} (${value})` : value;
}

/** The values of a filter that records have. The records are read, since nothing else lists them. */
export async function searchKnownValues(
	context: ILoadOptionsFunctions,
	field: KnownField,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const client = await clientFor(context, context.getCurrentNodeParameter('authentication'));
		const { [field]: values } = await knownValues(client, [field]);
		const wanted = filter.trim().toLowerCase();
		const results = values
			.map((value) => ({ name: labelOf(field, value), value }))
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		return { results };
	} catch (error) {
		throw toNodeError(error, { node: context.getNode(), operation: listOf(field) });
	}
}
