/** `@screen-advertising/core/contract`: what a service must know, and what is assumed. */
export type { Assumed, Assumption } from '../assumptions/assume.ts';
export { type AssumptionName, assumptions, type Variants } from '../assumptions/index.ts';
export { couponFields } from '../catalogue/coupons.ts';
export type { EventKind } from '../catalogue/events.ts';
// The sandbox's own declarations name it.
export type { OptionalField } from '../catalogue/field-types.ts';
export { type ResponseShape, scopes } from '../catalogue/operation.ts';
export { pagination, tokenEndpoint } from '../catalogue/server-schemas.ts';
