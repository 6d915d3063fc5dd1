import type { NodeOperation } from '../operation';
import { getCampaignRequest } from './campaignRequest/get';
import { getManyCampaignRequests } from './campaignRequest/getMany';
import { createCoupon } from './coupon/create';
import { getCoupon } from './coupon/get';
import { revokeCoupon } from './coupon/revoke';
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
		operations: [getManyScreens, findAvailableScreens, getScreen, getScreenAvailability],
	},
	{ name: 'User', value: 'user', operations: [lookUpUser] },
];

/** The operation that a user chose. */
export function findOperation(resource: string, operation: string): NodeOperation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
