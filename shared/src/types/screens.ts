import type { CallPromise, PagePromise } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';

/** Bookable screens and their availability. */
export interface ScreensApi {
  /**
   * Lists the screens that can be booked, with optional filters. Section 4.2; scope `screens:read`.
   */
  list(params?: ScreenListParams, options?: CallOptions): PagePromise<Screen>;
  /**
   * Gets a screen by its ID. A screen that cannot be booked counts as not found. Section 4.3; scope
   * `screens:read`.
   */
  get(params: ScreenGetParams, options?: CallOptions): CallPromise<Screen>;
  /**
   * Gets the share of voice still available on a screen between two dates, and the price per day.
   * Section 4.4; scope `screens:read`.
   */
  availability(params: ScreenAvailabilityParams, options?: CallOptions): CallPromise<Availability>;
}

/** Which screens, for every list and search of them. */
export interface ScreenFilters {
  /** Only screens in this country, as a 2-letter code. */
  country?: string | undefined;
  /** Only screens in this city. */
  city?: string | undefined;
  /**
   * Only screens with this orientation, spelled as in the orientation field of a screen, such as
   * landscape.
   */
  orientation?: string | undefined;
  /** Only screens inside this map area: west, south, east, and north in degrees. */
  bbox?: string | undefined;
}

/** What List Screens takes. */
export interface ScreenListParams extends ScreenFilters {
  /** Screens per page, 1 to 200. Default: 50. */
  limit?: number | undefined;
  /** Where to continue: pagination.cursor of the previous page. */
  cursor?: string | undefined;
}

/** What Get Screen takes. */
export interface ScreenGetParams {
  /** The ID of the screen, from the id field of a screen. */
  screenId: string;
}

/** A period, with its first and last day. */
export interface Period {
  /** First day of the period, as YYYY-MM-DD. */
  from: string;
  /** Last day of the period, as YYYY-MM-DD. */
  to: string;
}

/** What Get Screen Availability takes. */
export interface ScreenAvailabilityParams extends Period {
  /** The ID of the screen, from the id field of a screen. */
  screenId: string;
}

/** A screen as the service sends it. `allFields` also shows fields that are not listed here. */
export interface Screen {
  /** ID of the screen. */
  id: string;
  /** Name of the screen. */
  name?: string | null | undefined;
  /** What the screen is like. */
  description?: string | null | undefined;
  /** 2-letter country code. */
  country?: string | null | undefined;
  /** City where the screen is. */
  city?: string | null | undefined;
  /** Address of the screen. */
  address?: string | null | undefined;
  /** In degrees. */
  latitude?: number | null | undefined;
  /** In degrees. */
  longitude?: number | null | undefined;
  /** In the words of the service, such as landscape. */
  orientation?: string | null | undefined;
  /** In pixels. */
  resolution_width?: number | null | undefined;
  /** In pixels. */
  resolution_height?: number | null | undefined;
  /** In cents. */
  price_per_day_cents?: number | null | undefined;
  /** Share of ad time (SOV), in percent. */
  ad_sov_pct?: number | null | undefined;
  /** URL of a picture of the screen. */
  thumbnail_url?: string | null | undefined;
  /** Kind of place, in the words of the service. */
  venue_type?: string | null | undefined;
  /** Whether the screen is active. */
  is_active?: boolean | null | undefined;
  /** When the screen was added. */
  created_at?: string | null | undefined;
}

/**
 * An availability as the service sends it. `allFields` also shows fields that are not listed here.
 */
export interface Availability {
  /** ID of the screen. */
  screen_id: string;
  /** Date, YYYY-MM-DD. */
  from?: string | null | undefined;
  /** Date, YYYY-MM-DD. */
  to?: string | null | undefined;
  /** The most that can be sold, in percent. */
  max_sov_pct?: number | null | undefined;
  /** Already used, in percent. */
  used_sov_pct?: number | null | undefined;
  /** Still available, in percent. */
  available_sov_pct?: number | null | undefined;
  /** In cents. */
  price_per_day_cents?: number | null | undefined;
}
