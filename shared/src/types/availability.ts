// `pnpm run docs` writes this file from the catalogue.

import type { Coordinates } from '../catalogue/coordinates.ts';
import type { DescribedCompoundOperation } from '../catalogue/operation.ts';
import type { Screen } from './screens.ts';

/** What Find Nearby Screens takes. */
export interface ScreenFindNearbyParams {
  /**
   * Only screens near this place: its latitude and longitude as maps copy them, such as 52.5200,
   * 13.4050. Adds the distance to each screen.
   */
  near: string | Coordinates;
  /**
   * Only screens at most this far from Near, in kilometers, as the crow flies. Default: any
   * distance.
   */
  radius_km?: number | undefined;
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
  /** Which screens come first. Default: the nearest with Near, else in the service's order. */
  sort_by?: 'nearest' | 'cheapest' | undefined;
}

/** What Find Available Screens takes. */
export interface ScreenFindAvailableParams {
  /** First day of the period, as YYYY-MM-DD. */
  from: string;
  /** Last day of the period, as YYYY-MM-DD. */
  to: string;
  /**
   * Only screens near this place: its latitude and longitude as maps copy them, such as 52.5200,
   * 13.4050. Adds the distance to each screen.
   */
  near?: string | Coordinates | undefined;
  /**
   * Only screens at most this far from Near, in kilometers, as the crow flies. Default: any
   * distance.
   */
  radius_km?: number | undefined;
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
  /**
   * Only screens with at least this share of voice (share of ad time) available, in percent.
   * Default: any screen not sold out.
   */
  min_available_sov_pct?: number | undefined;
  /**
   * Only screens that cost at most this much for the whole period, in cents. Applies to each screen
   * separately.
   */
  budget_cents?: number | undefined;
  /** Which screens come first. Default: the nearest with Near, else the cheapest. */
  sort_by?: 'nearest' | 'cheapest' | undefined;
}

/** What Screen Availability Changed takes. */
export interface ScreenAvailabilityChangedParams {
  /** Which way the available share of voice must cross the threshold. */
  change: 'rises_above' | 'falls_below' | 'either';
  /**
   * The available share of voice (share of ad time) to cross, in percent. A screen exactly at the
   * threshold has not crossed it.
   */
  share_pct: number;
  /** First day of the period, as YYYY-MM-DD. */
  from: string;
  /** Last day of the period, as YYYY-MM-DD. */
  to: string;
  /**
   * Only screens near this place: its latitude and longitude as maps copy them, such as 52.5200,
   * 13.4050. Adds the distance to each screen.
   */
  near?: string | Coordinates | undefined;
  /**
   * Only screens at most this far from Near, in kilometers, as the crow flies. Default: any
   * distance.
   */
  radius_km?: number | undefined;
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

/** One result of Find Nearby Screens. */
export interface NearbyScreen {
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
  /** From Near, in kilometers. */
  distance_km?: number | null | undefined;
}

/** One result of Find Available Screens. */
export interface AvailableScreen {
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
  /** From Near, in kilometers. */
  distance_km?: number | null | undefined;
  /** The screen itself. */
  screen: Screen;
  /** Length of the period, including its first and last day. */
  days?: number | null | undefined;
  /** For the whole period, in cents. */
  total_price_cents?: number | null | undefined;
}

/** One result of Screen Availability Changed. */
export interface AvailabilityChange {
  /** rises_above or falls_below. */
  change?: string | null | undefined;
  /** In percent. */
  share_pct?: number | null | undefined;
  /** Value at the previous check, in percent. */
  previous_available_sov_pct?: number | null | undefined;
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
  /** From Near, in kilometers. */
  distance_km?: number | null | undefined;
  /** The screen itself. */
  screen: Screen;
}

/** Every compound operation, by name. */
export type CompoundOperations = {
  /** Finds the screens near a place, nearest first, with the distance to each. */
  readonly 'screen.findNearby': DescribedCompoundOperation<
    'screen.findNearby',
    ScreenFindNearbyParams,
    NearbyScreen
  >;
  /**
   * Finds screens that are available between two dates, also near a place, with the price for the
   * whole period.
   */
  readonly 'screen.findAvailable': DescribedCompoundOperation<
    'screen.findAvailable',
    ScreenFindAvailableParams,
    AvailableScreen
  >;
  /**
   * Triggers when the available share of voice of a screen rises above or falls below a threshold.
   */
  readonly 'screen.availabilityChanged': DescribedCompoundOperation<
    'screen.availabilityChanged',
    ScreenAvailabilityChangedParams,
    AvailabilityChange
  >;
};
