/** `@screen-advertising/core/availability`: finding and watching screens, with many requests. */

export {
  type CompoundOperationName,
  compoundOperations,
} from '../availability/compound-operations.ts';
export {
  type FoundScreen,
  type FoundScreens,
  findAvailableScreens,
  reasonsForFewScreens,
  searchNotes,
} from '../availability/find-available-screens.ts';
export {
  findNearbyScreens,
  NearbyScreenPicker,
  type NearbyScreens,
  nearbyRecords,
  type PassedOverScreens,
  sortByDistanceOrPrice,
} from '../availability/find-nearby-screens.ts';
export type {
  AvailabilityPassOptions,
  AvailabilityReading,
  ReadAvailabilitiesOptions,
  ScreenFailure,
  SearchClient,
} from '../availability/read-availabilities.ts';
export {
  availabilityChanges,
  type SeenShares,
  sampleAvailabilityChange,
  type WatchAvailabilityOptions,
  type WatchedAvailability,
  watchAvailability,
} from '../availability/watch-availability.ts';
export type { CatalogueEntry, DescribedCompoundOperation } from '../catalogue/operation.ts';
export type * from '../types/availability.ts';
