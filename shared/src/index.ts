export type { EventName } from './catalogue/events.ts';
export { allFields } from './catalogue/field-types.ts';
export type { Described, Operation, Scope } from './catalogue/operation.ts';
export type { Page, Pagination } from './catalogue/page.ts';
export type * from './catalogue/unknown-value.ts';
export { events, type OperationName, operations } from './catalogue.ts';
export type { Attempt } from './client/attempt-hook.ts';
export { type Auth, apiKey } from './client/auth.ts';
export type { CallPromise, CallResult, PagePromise } from './client/call-promise.ts';
export { clientCredentials } from './client/client-credentials.ts';
export type { RetryPolicy } from './client/options.ts';
export type { RateLimit } from './client/rate-limit.ts';
export type { Call, CallOptions, CallsDeadline, DeadlineOptions } from './client/run.ts';
export type { StoredToken, TokenStore } from './client/token-store.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Clock } from './clock.ts';
export {
  ConfigurationError,
  InputError,
  type InputIssue,
  OutcomeUnknownError,
  ProblemError,
  RateLimitWaitError,
  ResponseError,
  TransportError,
} from './errors/error-classes.ts';
export {
  type ErrorCode,
  type Problem,
  ScreenAdvertisingError,
} from './errors/screen-advertising-error.ts';
export {
  type WebhookFailureReason,
  WebhookVerificationError,
} from './errors/webhook-verification-error.ts';
export { nodeTransport } from './transport/node-transport.ts';
export type { NodeTransportOptions } from './transport/node-transport-options.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
export type * from './types/campaign-requests.ts';
export type * from './types/coupons.ts';
export type * from './types/events.ts';
export type * from './types/index.ts';
export type * from './types/landing-links.ts';
export type * from './types/screens.ts';
export type * from './types/users.ts';
export { parseEvent } from './webhooks/parse-event.ts';
export { signWebhook } from './webhooks/signature.ts';
export { type ReceivedEvent, verifyRequest } from './webhooks/verify-request.ts';
export { type VerifiedEvent, verifySignature, verifyWebhook } from './webhooks/verify-signature.ts';
export type * from './webhooks/webhook-event.ts';
