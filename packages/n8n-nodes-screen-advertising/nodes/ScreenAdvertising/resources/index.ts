import type { INodeProperties } from 'n8n-workflow';
import type { NodeOperation } from '../shared/operation';
import { concurrencyOption, timeoutOption } from '../shared/options';
import { sorted, toDescription } from '../shared/properties';
import { getCampaignRequest } from './campaignRequest/get';
import { getManyCampaignRequests } from './campaignRequest/getMany';
import { createCoupon } from './coupon/create';
import { getCoupon } from './coupon/get';
import { revokeCoupon } from './coupon/revoke';
import { createLandingLink } from './landingLink/create';
import { getScreen } from './screen/get';
import { getScreenAvailability } from './screen/getAvailability';
import { getManyScreens } from './screen/getMany';
import { lookUpUser } from './user/lookUp';

interface NodeResource {
	readonly name: string;
	readonly value: string;
	/** The first one is what a new node shows. */
	readonly operations: readonly [NodeOperation, ...NodeOperation[]];
}

export const resources: readonly NodeResource[] = [
	{
		name: 'Campaign Request',
		value: 'campaignRequest',
		operations: [getManyCampaignRequests, getCampaignRequest],
	},
	{ name: 'Coupon', value: 'coupon', operations: [createCoupon, getCoupon, revokeCoupon] },
	{ name: 'Landing Link', value: 'landingLink', operations: [createLandingLink] },
	{
		name: 'Screen',
		value: 'screen',
		operations: [getManyScreens, getScreen, getScreenAvailability],
	},
	{ name: 'User', value: 'user', operations: [lookUpUser] },
];

/** The operation that a user chose. */
export function findOperation(resource: string, operation: string): NodeOperation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

export const resourceProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'screen',
	},
	...resources.map(operationProperty),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => shown(resource, operation)),
	),
];

function operationProperty({ value, operations }: NodeResource): INodeProperties {
	const initial = operations[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sorted(
			operations.map((entry) => ({
				name: entry.name,
				value: entry.value,
				action: entry.action,
				description: toDescription(entry.operation.description),
			})),
		),
		default: initial,
	};
}

/** The properties of an operation, each shown for it alone. */
function shown(resource: NodeResource, operation: NodeOperation): INodeProperties[] {
	const options: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: sorted([concurrencyOption, timeoutOption, ...(operation.options ?? [])]),
	};
	return [...operation.properties, options].map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: {
				resource: [resource.value],
				operation: [operation.value],
				...property.displayOptions?.show,
			},
		},
	}));
}
