import { type Operation, operations } from '@screen-advertising/core';
import type { NodeOperation } from '../shared/operation';
import { plain } from '../shared/plain';
import { sorted } from '../shared/properties';
import { campaignRequestLocator } from './campaignRequest/locator';
import { createCoupon } from './coupon/create';
import { createLandingLink } from './landingLink/create';
import { findAvailableScreens } from './screen/findAvailable';
import { getScreen } from './screen/get';
import { getScreenAvailability } from './screen/getAvailability';
import { getManyScreens } from './screen/getMany';
import { lookUpUser } from './user/lookUp';

export interface NodeResource {
	readonly name: string;
	readonly value: string;
	/** The first one is what a new node shows. */
	readonly operations: readonly NodeOperation[];
}

/** What n8n offers in a way of its own. */
const own: readonly NodeOperation[] = [
	plain(operations['campaignRequest.list'], { dates: ['from', 'to'] }),
	plain(operations['campaignRequest.get'], { own: { id: campaignRequestLocator } }),
	createCoupon,
	createLandingLink,
	getManyScreens,
	getScreen,
	getScreenAvailability,
	lookUpUser,
];

const offered: readonly NodeOperation[] = [
	...Object.values<Operation>(operations).map(
		(one) => own.find(({ operation }) => operation === one) ?? plain(one),
	),
	findAvailableScreens,
];

const kinds = new Set(offered.map(({ operation }) => operation.resource));

export const resources: readonly NodeResource[] = sorted(
	[...kinds].map((kind) => ({
		name: kind.title,
		value: kind.name,
		operations: offered.filter(({ operation }) => operation.resource === kind),
	})),
);

/** The operation that a user chose. */
export function findOperation(resource: string, operation: string): NodeOperation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
