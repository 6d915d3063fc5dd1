import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The two kinds of access that the Screen Advertising team grants. */
export const accessCredentials: INodeCredentialDescription[] = [
	{
		name: 'screenAdvertisingApi',
		required: true,
		displayOptions: { show: { authentication: ['apiKey'] } },
	},
	{
		name: 'screenAdvertisingClientCredentialsApi',
		required: true,
		displayOptions: { show: { authentication: ['clientCredentials'] } },
	},
];

export const authenticationProperty: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'Client Credentials', value: 'clientCredentials' },
	],
	default: 'apiKey',
};
