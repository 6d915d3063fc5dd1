import type { DescribedOperation } from '../catalogue/operation.ts';
import type {
  CampaignRequest,
  CampaignRequestGetParams,
  CampaignRequestListParams,
  CampaignRequestsApi,
} from './campaign-requests.ts';
import type {
  Coupon,
  CouponCreateParams,
  CouponGetParams,
  CouponRevokeParams,
  CouponsApi,
} from './coupons.ts';
import type { LandingLink, LandingLinkCreateParams, LandingLinksApi } from './landing-links.ts';
import type {
  Availability,
  Screen,
  ScreenAvailabilityParams,
  ScreenGetParams,
  ScreenListParams,
  ScreensApi,
} from './screens.ts';
import type { UserLookupParams, UserLookupResult, UsersApi } from './users.ts';

/** One method for each operation, by resource. */
export interface ResourceApis {
  /** Bookable screens and their availability. */
  readonly screens: ScreensApi;
  /** Discount coupons, each tied to one lead. */
  readonly coupons: CouponsApi;
  /** Whether a user exists, and whether you referred them. */
  readonly users: UsersApi;
  /** Links with UTM parameters. */
  readonly landingLinks: LandingLinksApi;
  /** Your own campaign requests. */
  readonly campaignRequests: CampaignRequestsApi;
}

/** Every operation by name. */
export type Operations = {
  /** Lists the screens that can be booked, with optional filters. */
  readonly 'screen.list': DescribedOperation<'screen.list', ScreenListParams, Screen, 'page'>;
  /** Gets a screen by its ID. A screen that cannot be booked counts as not found. */
  readonly 'screen.get': DescribedOperation<'screen.get', ScreenGetParams, Screen, 'record'>;
  /**
   * Gets the share of voice still available on a screen between two dates, and the price per day.
   */
  readonly 'screen.availability': DescribedOperation<
    'screen.availability',
    ScreenAvailabilityParams,
    Availability,
    'record'
  >;
  /** Creates a discount coupon for a lead. */
  readonly 'coupon.create': DescribedOperation<
    'coupon.create',
    CouponCreateParams,
    Coupon,
    'record'
  >;
  /** Gets a coupon by its code. */
  readonly 'coupon.get': DescribedOperation<'coupon.get', CouponGetParams, Coupon, 'record'>;
  /** Revokes a coupon that is active and not yet redeemed. */
  readonly 'coupon.revoke': DescribedOperation<
    'coupon.revoke',
    CouponRevokeParams,
    Coupon,
    'record'
  >;
  /**
   * Looks up whether a user exists, by email address or VAT number, and whether you referred them.
   */
  readonly 'user.lookup': DescribedOperation<
    'user.lookup',
    UserLookupParams,
    UserLookupResult,
    'record'
  >;
  /** Creates a link to the service with UTM tracking parameters. */
  readonly 'landingLink.create': DescribedOperation<
    'landingLink.create',
    LandingLinkCreateParams,
    LandingLink,
    'record'
  >;
  /** Lists your own campaign requests, with optional filters. */
  readonly 'campaignRequest.list': DescribedOperation<
    'campaignRequest.list',
    CampaignRequestListParams,
    CampaignRequest,
    'list'
  >;
  /** Gets one of your campaign requests. */
  readonly 'campaignRequest.get': DescribedOperation<
    'campaignRequest.get',
    CampaignRequestGetParams,
    CampaignRequest,
    'record'
  >;
};
