/** `@screen-advertising/core/contract`: what a service must know, and what is assumed. */
export type { Assumption, PublishedAssumption } from '../assumptions/assume.ts';
export { type AssumptionName, type AssumptionVariants, assumptions } from '../assumptions/index.ts';
export { couponFields } from '../catalogue/coupons.ts';
export type { EventKind } from '../catalogue/events.ts';
// The sandbox's own declarations name it.
export type { OptionalField } from '../catalogue/field-types.ts';
export { type ResponseShape, scopes } from '../catalogue/operation.ts';
export { paginationSchema, tokenEndpoint } from '../catalogue/server-schemas.ts';
