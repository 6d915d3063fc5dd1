import type { Coordinates } from '../catalogue/coordinates.ts';
import type { DescribedCompoundOperation } from '../catalogue/operation.ts';
import type { Availability, Period, Screen, ScreenFilters } from './screens.ts';

/** Which screens, also near a place. */
export interface ScreenPlaceFilters extends ScreenFilters {
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
}

/** What Find Nearby Screens takes. */
export interface ScreenFindNearbyParams extends ScreenPlaceFilters {
  /**
   * Only screens near this place: its latitude and longitude as maps copy them, such as 52.5200,
   * 13.4050. Adds the distance to each screen.
   */
  near: string | Coordinates;
  /** Which screens come first. Default: the nearest with Near, else in the service's order. */
  sort_by?: 'nearest' | 'cheapest' | undefined;
}

/** What Find Available Screens takes. */
export interface ScreenFindAvailableParams extends Period, ScreenPlaceFilters {
  /**
   * Only screens with at least this share of voice (share of ad time) available, in percent.
   * Default: any screen not sold out.
   */
  min_available_sov_pct?: number | undefined;
  /**
   * Only screens that cost at most this much for the whole period. Applies to each screen
   * separately. In cents.
   */
  budget_cents?: number | undefined;
  /** Which screens come first. Default: the nearest with Near, else the cheapest. */
  sort_by?: 'nearest' | 'cheapest' | undefined;
}

/** What Screen Availability Changed takes. */
export interface ScreenAvailabilityChangedParams extends Period, ScreenPlaceFilters {
  /** Which way the available share of voice must cross the threshold. */
  change: 'rises_above' | 'falls_below' | 'either';
  /**
   * The available share of voice (share of ad time) to cross, in percent. A screen exactly at the
   * threshold has not crossed it.
   */
  share_pct: number;
}

/** One record of Find Nearby Screens, as forms and tables show it. */
export interface NearbyScreen extends Screen {
  /** From Near, in kilometers. */
  distance_km?: number | null | undefined;
}

/** The availability of a screen, with the screen itself. */
export interface ScreenWithAvailability extends Availability {
  /** From Near, in kilometers. */
  distance_km?: number | null | undefined;
  /** The screen itself. */
  screen: Screen;
}

/** One result of `findNearbyScreens`: what one of `findAvailableScreens` has, without a period. */
export interface ScreenWithDistance
  extends Pick<ScreenWithAvailability, 'screen_id' | 'price_per_day_cents' | 'screen'> {
  /** From Near, in kilometers. */
  distance_km: number;
}

/** One result of Find Available Screens. */
export interface AvailableScreen extends ScreenWithAvailability {
  /** Length of the period, including its first and last day. */
  days?: number | null | undefined;
  /** For the whole period, in cents. */
  total_price_cents?: number | null | undefined;
}

/** One result of Screen Availability Changed. */
export interface AvailabilityChange extends ScreenWithAvailability {
  /** rises_above or falls_below. */
  change?: string | null | undefined;
  /** In percent. */
  share_pct?: number | null | undefined;
  /** Value at the previous check, in percent. */
  previous_available_sov_pct?: number | null | undefined;
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
