import type { UnknownValue } from '../catalogue/field-types.ts';
import type { CallPromise, PagePromise } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';

/** Your own campaign requests. */
export interface CampaignRequestsApi {
  /**
   * Lists your own campaign requests, with optional filters. Section 4.10; scope
   * `campaign_requests:read`.
   */
  list(params?: CampaignRequestListParams, options?: CallOptions): PagePromise<CampaignRequest>;
  /** Gets one of your campaign requests. Section 4.11; scope `campaign_requests:read`. */
  get(params: CampaignRequestGetParams, options?: CallOptions): CallPromise<CampaignRequest>;
}

/** What List Campaign Requests takes. */
export interface CampaignRequestListParams {
  /** Only campaign requests with this status. */
  status?: 'rejected' | 'abandoned' | 'no_inventory' | 'converted' | undefined;
  /** Only campaign requests from this date on, as YYYY-MM-DD. */
  from?: string | undefined;
  /** Only campaign requests up to this date, as YYYY-MM-DD. */
  to?: string | undefined;
  /** Only campaign requests in this industry. */
  industry?: string | undefined;
  /**
   * Where to continue if the service sends this list in pages: pagination.cursor of the previous
   * page.
   */
  cursor?: string | undefined;
}

/** What Get Campaign Request takes. */
export interface CampaignRequestGetParams {
  /** The ID of the campaign request, from the list or an event. */
  id: string;
}

/**
 * A campaign request as the service sends it. `allFields` also shows fields that are not listed
 * here.
 */
export interface CampaignRequest {
  /** ID of the campaign request. */
  id?: string | null | undefined;
  /** rejected, abandoned, no_inventory, or converted. */
  status?:
    | 'rejected'
    | 'abandoned'
    | 'no_inventory'
    | 'converted'
    | UnknownValue
    | null
    | undefined;
  /** Industry of the campaign. */
  industry?: string | null | undefined;
}
