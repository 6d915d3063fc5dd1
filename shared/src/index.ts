export { type Assumption, type AssumptionName, assumptions, type Variants } from './assumptions.ts';
export type { CampaignRequest } from './catalogue/campaign-requests.ts';
export type { Coupon } from './catalogue/coupons.ts';
export type { EventKind } from './catalogue/event.ts';
export {
  type FormField,
  type FormFieldType,
  formFields,
  inputJsonSchema,
} from './catalogue/form-fields.ts';
export { type EventName, events, type OperationName, operations } from './catalogue/index.ts';
export type { LandingLink } from './catalogue/landing-links.ts';
export { type Operation, type Resource, type Scope, scopes } from './catalogue/operation.ts';
export { type Page, type Pagination, pagination } from './catalogue/page.ts';
export type { Availability, Screen } from './catalogue/screens.ts';
export { tokenEndpoint } from './catalogue/token.ts';
export type { UserLookup } from './catalogue/users.ts';
export type { Clock } from './clock.ts';
export { ConfigurationError } from './errors/configuration-error.ts';
export { InputError, type InputIssue } from './errors/input-error.ts';
export type { Problem } from './errors/problem.ts';
export { type ErrorCode, ScreenAdvertisingError } from './errors/screen-advertising-error.ts';
export { TransportError } from './errors/transport-error.ts';
export {
  type WebhookFailureReason,
  WebhookVerificationError,
} from './errors/webhook-verification-error.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
