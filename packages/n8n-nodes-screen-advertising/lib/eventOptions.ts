import { events } from '@screen-advertising/core';
import { sorted, toDescription } from './properties';

/** The events of the service as options. */
export const eventOptions = sorted(
	Object.values(events).map(({ name, title, description }) => ({
		name: title,
		value: name,
		description: toDescription(description),
	})),
);
