/** `@screen-advertising/core/platform`: for platforms that send requests and keep tokens. */

export { unlessAborted } from '../abort.ts';
export {
  type ApiKeyAuth,
  accessVariables,
  apiKeyWithoutBearer,
  type ClientCredentialsAuth,
  type PlatformAuth,
  parseApiKey,
  parseClientCredentials,
  platformAuth,
  readAccess,
} from '../client/auth.ts';
export { isLoopback, parseBaseUrl } from '../client/base-url.ts';
export { nextCursor } from '../client/call-promise.ts';
export { readRateLimit } from '../client/options.ts';
export { escapeInvisible, safeOutsideText } from '../client/redact.ts';
export { buildRequest, messageQuotingValue, parseInput } from '../client/request.ts';
export { LruMap } from '../client/shared-access.ts';
export { requestToken, type TokenRequest, TokenSource } from '../client/tokens.ts';
export { causeDescription, joinSentences } from '../errors/screen-advertising-error.ts';
export { parseJsonExactly, recordId } from '../json.ts';
export {
  type ByteStream,
  maxResponseBytes,
  readBody,
  responseTooLargeError,
} from '../transport/exchange.ts';
export { networkFailure, timeoutFailure } from '../transport/network-failure.ts';
export { systemClock } from '../transport/system-clock.ts';
