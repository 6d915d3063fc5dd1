import { operations } from '@screen-advertising/core';
import { fromCatalogue } from '../../fromCatalogue';
import { pastHint } from '../../hints';

const operation = operations['screen.availability'];

export const getAvailability = fromCatalogue(operation, {
	value: 'getAvailability',
	prepare:
		({ client, context, signal, hints }, input) =>
		async () => {
			const availability = await client.call(operation, input, { signal });
			hints.add(pastHint(context, 'To', input.to, 'nothing can be booked any more'), 'past');
			return availability;
		},
});
