import type { INodeProperties } from 'n8n-workflow';

export const baseUrlProperty: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://service.example/api/v1',
	description:
		'Address of the partner interface, ending in /api/v1. The Screen Advertising team gives it to you with your credentials.',
};
