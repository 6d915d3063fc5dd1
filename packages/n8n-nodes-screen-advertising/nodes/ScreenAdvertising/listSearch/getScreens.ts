import { operations, type Screen } from '@screen-advertising/core';
import { listSearch } from './listSearch';

/** Screens by name, city, address or ID. */
export const getScreens = listSearch(
	operations['screen.list'],
	({ id, name, city, country, address }: Screen) => {
		const place = [city, country].filter(Boolean).join(', ');
		const label = name || id;
		return {
			name: place ? `${label} (${place})` : label,
			value: id,
			searched: [id, name, place, address].join(' '),
		};
	},
);
