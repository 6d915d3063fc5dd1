import type { NodeOperation } from '../operation';
import { getCampaignRequest } from './campaignRequest/getCampaignRequest';
import { getManyCampaignRequests } from './campaignRequest/getManyCampaignRequests';
import { createCoupon } from './coupon/createCoupon';
import { getCoupon } from './coupon/getCoupon';
import { revokeCoupon } from './coupon/revokeCoupon';
import { createLandingLink } from './landingLink/createLandingLink';
import { findAvailableScreens } from './screen/findAvailableScreens';
import { getScreen } from './screen/getScreen';
import { getScreenAvailability } from './screen/getScreenAvailability';
import { getManyScreens } from './screen/getManyScreens';
import { lookUpUser } from './user/lookUpUser';

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
