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

export const baseUrlProperty: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://service.example/api/v1',
	description:
		'Address of the service, ending in /api/v1. The Screen Advertising team gives it to you with your credentials.',
};

export const couponKeyProperty: INodeProperties = {
	displayName: 'Coupon Key',
	name: 'couponKey',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description:
		'Optional text of at least 16 characters from which the codes of coupons follow. Without it, new credentials do not find earlier coupons.',
};

export const rateLimitProperty: INodeProperties = {
	displayName: 'Requests per Minute',
	name: 'rateLimit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 600,
	description:
		'Rate limit of your access. Change it only if the Screen Advertising team granted you another one.',
};
