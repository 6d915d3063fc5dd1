import { shownOperations } from '@screen-advertising/core/lead-coupons';
import { sortedByName } from '../../../lib/properties';
import { operationFromCatalogue } from '../fromCatalogue';
import type { NodeOperation } from '../operation';
import { createCoupon } from './coupon/createCoupon';
import { getCoupon } from './coupon/getCoupon';
import { createLandingLink } from './landingLink/createLandingLink';
import { findAvailableScreens } from './screen/findAvailableScreens';
import { getAvailability } from './screen/getAvailability';
import { getManyScreens } from './screen/getManyScreens';
import { getScreen } from './screen/getScreen';
import { lookUpUser } from './user/lookUpUser';

export interface NodeResource {
	readonly name: string;
	readonly value: string;
	/** A new node shows the first one. */
	readonly operations: readonly NodeOperation[];
}

/** Operations that n8n offers in a different form than the catalogue. */
const overrides: readonly NodeOperation[] = [
	createCoupon,
	getCoupon,
	createLandingLink,
	getManyScreens,
	getScreen,
	getAvailability,
	lookUpUser,
];

const offered: readonly NodeOperation[] = [
	...shownOperations.map(
		(one) =>
			overrides.find(({ operation }) => operation.name === one.name) ?? operationFromCatalogue(one),
	),
	findAvailableScreens,
];

const offeredResources = new Set(offered.map(({ operation }) => operation.resource));

export const nodeResources: readonly NodeResource[] = sortedByName(
	[...offeredResources].map((resource) => ({
		name: resource.title,
		value: resource.name,
		operations: offered.filter(({ operation }) => operation.resource === resource),
	})),
);

/** The operations by the values of a node's parameters, such as `coupon.create`. */
export const operationByParameters: ReadonlyMap<string, NodeOperation> = new Map(
	offered.map((one) => [`${one.operation.resource.name}.${one.value}`, one]),
);
