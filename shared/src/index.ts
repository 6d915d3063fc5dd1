export { type Assumption, type AssumptionName, assumptions, type Variants } from './assumptions.ts';
export {
  type AvailabilityChange,
  availabilityChanges,
  type SeenShares,
} from './availability/availability-changes.ts';
export {
  type AvailableScreen,
  type FoundScreens,
  findAvailableScreens,
} from './availability/find-available-screens.ts';
export type { Reading, ReadOptions, ScreenFailure } from './availability/read-availabilities.ts';
export { type TaskName, tasks } from './availability/tasks.ts';
export {
  sampleAvailabilityChange,
  type WatchedAvailability,
  type WatchInput,
  type WatchOptions,
  watchAvailability,
} from './availability/watch-availability.ts';
export type { CampaignRequest } from './catalogue/campaign-requests.ts';
export type { Coupon } from './catalogue/coupons.ts';
export type { EventKind } from './catalogue/event.ts';
export { type EventName, events } from './catalogue/events.ts';
export {
  type FormField,
  type FormFieldType,
  formFields,
  inputJsonSchema,
} from './catalogue/form-fields.ts';
export {
  type Catalogue,
  catalogue,
  type OperationName,
  operations,
} from './catalogue/index.ts';
export type { LandingLink } from './catalogue/landing-links.ts';
export {
  type AnswerShape,
  type Operation,
  type Resource,
  type Scope,
  scopes,
  type Task,
} from './catalogue/operation.ts';
export { type Page, type Pagination, pagination } from './catalogue/page.ts';
export { type RecordField, type RecordFieldType, recordFields } from './catalogue/record-fields.ts';
export type { Availability, Screen } from './catalogue/screens.ts';
export { tokenEndpoint } from './catalogue/token.ts';
export type { UserLookup } from './catalogue/users.ts';
export {
  type ApiKeyAuth,
  type Auth,
  apiKey,
  type ClientCredentialsAuth,
  clientCredentials,
  type PlatformAuth,
  parseApiKey,
  platformAuth,
  type StoredToken,
  type TokenStore,
} from './client/auth.ts';
export { parseBaseUrl } from './client/base-url.ts';
export type { Call, CallOptions } from './client/call.ts';
export { type Client, type ClientOptions, createClient } from './client/client.ts';
export type { RateLimit } from './client/fair-share.ts';
export { nextCursor } from './client/pages.ts';
export { isLoopback } from './client/private-network.ts';
export { requestToken, type TokenRequestOptions } from './client/request-token.ts';
export type { RetryPolicy } from './client/retry.ts';
export { type TokenRequest, TokenSource } from './client/token-source.ts';
export type { Clock } from './clock.ts';
export { ConfigurationError } from './errors/configuration-error.ts';
export { InputError, type InputIssue } from './errors/input-error.ts';
export { OutcomeUnknownError } from './errors/outcome-unknown-error.ts';
export type { Problem } from './errors/problem.ts';
export { ProblemError } from './errors/problem-error.ts';
export { RateLimitError } from './errors/rate-limit-error.ts';
export { ResponseError } from './errors/response-error.ts';
export { type ErrorCode, ScreenAdvertisingError } from './errors/screen-advertising-error.ts';
export { TransportError } from './errors/transport-error.ts';
export {
  type WebhookFailureReason,
  WebhookVerificationError,
} from './errors/webhook-verification-error.ts';
export { parseJson } from './json.ts';
export { type ByteStream, collected, largestAnswer, tooLarge } from './transport/answer-body.ts';
export { networkFailure, timeoutFailure } from './transport/network-failure.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
export type { WebhookBody } from './webhooks/arguments.ts';
export type { SignatureAlgorithm, SignatureScheme, SignedContent } from './webhooks/digest.ts';
export { eventKey } from './webhooks/event-key.ts';
export { parseEvent, type WebhookEvent } from './webhooks/parse-event.ts';
export {
  createReplayMemory,
  type ReplayMemory,
  type ReplayMemoryOptions,
} from './webhooks/replay-memory.ts';
export { type SignWebhookOptions, signWebhook } from './webhooks/sign-webhook.ts';
export { signatureHeaderName } from './webhooks/signature-header.ts';
export { defaultToleranceSeconds } from './webhooks/tolerance.ts';
export { type VerifySignatureOptions, verifySignature } from './webhooks/verify-signature.ts';
export { verifyWebhook } from './webhooks/verify-webhook.ts';
