import { operations } from '@screen-advertising/core';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { readProperty } from '../../../../lib/values';
import { downloadThumbnail, withField } from '../../files';
import { fromCatalogue } from '../../fromCatalogue';
import { screenOutput } from './screenOutput';

const operation = operations['screen.get'];

const thumbnailOption: INodeProperties = {
	displayName: 'Download Thumbnail',
	name: 'thumbnail',
	type: 'boolean',
	// Adding the option turns it on; without it, it is off.
	default: true,
	description: 'Whether to add the picture of the screen to the output, as a file',
};

export const getScreen = fromCatalogue(operation, {
	output: screenOutput,
	options: withField(thumbnailOption),
	prepare(item, input) {
		const { client, context, index, signal } = item;
		const { thumbnail } = context.getNodeParameter('options', index, {}) as IDataObject;
		const isWanted = readProperty(operation.title, thumbnailOption, thumbnail, false);
		return async () => {
			const screen = await client.call(operation, input, { signal });
			if (isWanted === true) await downloadThumbnail(item, screen);
			return screen;
		};
	},
});
