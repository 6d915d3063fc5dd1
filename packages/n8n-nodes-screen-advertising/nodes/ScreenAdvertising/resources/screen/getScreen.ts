import { operations } from '@screen-advertising/core';
import type { IDataObject } from 'n8n-workflow';
import { fromCatalogue } from '../../fromCatalogue';
import { screenOutput } from './screenOutput';
import { downloadThumbnail } from './thumbnail';

const operation = operations['screen.get'];

export const getScreen = fromCatalogue(operation, {
	output: screenOutput,
	options: [
		{
			displayName: 'Download Thumbnail',
			name: 'thumbnail',
			type: 'boolean',
			// Adding the option turns it on; without it, it is off.
			default: true,
			description:
				"Whether to add the picture of the screen to the output, as a file in the field 'data'",
		},
	],
	async call(item, input) {
		const { client, context, index, signal } = item;
		const screen = await client.call(operation, input, { signal });
		const { thumbnail } = context.getNodeParameter('options', index, {}) as IDataObject;
		if (thumbnail === true) await downloadThumbnail(item, screen);
		return screen;
	},
});
