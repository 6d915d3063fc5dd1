import { operations } from '@screen-advertising/core';
import { operationFromCatalogue } from '../../fromCatalogue';
import { dateHasPassedHint } from '../../hints';

const operation = operations['screen.availability'];

export const getAvailability = operationFromCatalogue(operation, {
	value: 'getAvailability',
	prepare:
		({ client, context, signal, hints }, input) =>
		async () => {
			const availability = await client.call(operation, input, { signal });
			hints.add(
				dateHasPassedHint(context, 'To', input.to, 'nothing can be booked any more'),
				'past',
			);
			return availability;
		},
});
