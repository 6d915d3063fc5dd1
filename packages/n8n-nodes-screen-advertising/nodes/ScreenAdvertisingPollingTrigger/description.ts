import { formFields, operations } from '@screen-advertising/core';
import type { INodeProperties } from 'n8n-workflow';
import { authenticationProperty } from '../ScreenAdvertising/shared/authentication';
import { sorted, toProperty } from '../ScreenAdvertising/shared/properties';
import { created, statusEvent } from './events';

const fields = formFields(operations['campaignRequest.list']);
const statuses = fields.find(({ name }) => name === 'status')?.choices ?? [];

export const properties: INodeProperties[] = [
	authenticationProperty,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: sorted([
			{
				name: 'New Campaign Request',
				value: created,
				description: 'A campaign request came in',
			},
			...statuses.map(({ value, title }) => ({
				name: `Became ${title}`,
				value: statusEvent(value),
				description: `A campaign request now has the status ${title}`,
			})),
		]),
		default: [created],
		description: 'What starts the workflow. What is there when the workflow is published does not.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: fields.filter(({ name }) => name === 'industry').map(toProperty),
	},
];
