export type { EventName } from './catalogue/events.ts';
export { allFields, type UnknownValue } from './catalogue/field-types.ts';
export type {
  DescribedOperation,
  Operation,
  Page,
  Pagination,
  Scope,
} from './catalogue/operation.ts';
export { type Auth, apiKey, clientCredentials } from './client/auth.ts';
export type { CallPromise, PagePromise } from './client/call-promise.ts';
export type { Attempt, RetryPolicy } from './client/options.ts';
export type { ClientRateLimit } from './client/rate-limit.ts';
export type { CallOptions, CallResult, CallsDeadline, DeadlineOptions } from './client/run.ts';
export type { StoredToken, TokenStore } from './client/tokens.ts';
export type { Clock } from './clock.ts';
export { type Call, type Client, type ClientOptions, createClient } from './create-client.ts';
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
export { events, type OperationName, operations } from './operations.ts';
export type { NodeTransportOptions } from './transport/node/http-transport.ts';
export { nodeTransport } from './transport/node-transport.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
export type * from './types/campaign-requests.ts';
export type * from './types/coupons.ts';
export type * from './types/events.ts';
export type * from './types/index.ts';
export type * from './types/landing-links.ts';
export type * from './types/screens.ts';
export type * from './types/users.ts';
export {
  type WebhookFailureReason,
  WebhookVerificationError,
} from './webhooks/delivery.ts';
export { signWebhook } from './webhooks/signature.ts';
export { type ReceivedEvent, verifyRequest } from './webhooks/verify-request.ts';
export { type VerifiedEvent, verifySignature, verifyWebhook } from './webhooks/verify-signature.ts';
export type {
  RelayProblemData,
  RelayProblemEvent,
  UnknownEvent,
  UnknownEventName,
  WebhookEvent,
} from './webhooks/webhook-event.ts';
export { parseEvent } from './webhooks/webhook-event.ts';
