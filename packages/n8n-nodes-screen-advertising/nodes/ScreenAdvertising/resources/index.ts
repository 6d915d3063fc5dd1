import { type Operation, operations } from '@screen-advertising/core';
import type { NodeOperation } from '../operation';
import { plain } from '../plain';
import { sorted } from '../../../lib/properties';
import { campaignRequestLocator } from './campaignRequest/campaignRequestLocator';
import { createCoupon } from './coupon/createCoupon';
import { createLandingLink } from './landingLink/createLandingLink';
import { findAvailableScreens } from './screen/findAvailableScreens';
import { getScreen } from './screen/getScreen';
import { getScreenAvailability } from './screen/getScreenAvailability';
import { getManyScreens } from './screen/getManyScreens';
import { lookUpUser } from './user/lookUpUser';

export interface NodeResource {
	readonly name: string;
	readonly value: string;
	/** A new node shows the first one. */
	readonly operations: readonly NodeOperation[];
}

/** Operations that n8n offers in a different form than the catalogue. */
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

/** The operations by the values of a node's parameters, such as `coupon.create`. */
export const operationsByChoice: ReadonlyMap<string, NodeOperation> = new Map(
	offered.map((one) => [`${one.operation.resource.name}.${one.value}`, one]),
);
