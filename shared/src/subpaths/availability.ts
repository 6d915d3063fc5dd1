/** `@screen-advertising/core/availability`: finding and watching screens, with many requests. */

export {
  type CompoundOperationName,
  compoundOperations,
} from '../availability/compound-operations.ts';
export {
  type FoundScreen,
  type FoundScreens,
  findAvailableScreens,
  notesOf,
  reasonsOf,
} from '../availability/find-available-screens.ts';
export {
  findNearbyScreens,
  Nearby,
  type NearbyScreens,
  nearbyRecords,
  type PassedOver,
  sorted,
} from '../availability/find-nearby-screens.ts';
export type {
  PassOptions,
  Reading,
  ReadOptions,
  ScreenFailure,
  SearchClient,
} from '../availability/read-availabilities.ts';
export {
  availabilityChanges,
  type SeenShares,
  sampleAvailabilityChange,
  type WatchedAvailability,
  type WatchOptions,
  watchAvailability,
} from '../availability/watch-availability.ts';
export type { CatalogueEntry, DescribedCompoundOperation } from '../catalogue/operation.ts';
export type * from '../types/availability.ts';
