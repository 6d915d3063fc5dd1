import { operations } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import type { INodeProperties } from 'n8n-workflow';

const field = formFields(operations['screen.get']).find(({ name }) => name === 'screenId');

export const screenLocator: INodeProperties = {
	displayName: 'Screen',
	name: 'screenId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The screen, chosen from the list or by its ID',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a screen...',
			typeOptions: { searchListMethod: 'getScreens', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: `e.g. ${field?.example ?? ''}`,
		},
	],
};
