/** `@screen-advertising/core/platform`: for platforms that send requests and keep tokens. */

export { recordId } from '../catalogue/record-id.ts';
export { accessVariables, readAccess } from '../client/access-from-environment.ts';
export {
  type ApiKeyAuth,
  bareKey,
  type ClientCredentialsAuth,
  type PlatformAuth,
  parseApiKey,
  platformAuth,
} from '../client/auth.ts';
export { isLoopback, parseBaseUrl } from '../client/base-url.ts';
export { parseClientCredentials } from '../client/client-credentials.ts';
export { LruMap } from '../client/lru-map.ts';
export { readRateLimit } from '../client/options.ts';
export { nextCursor } from '../client/pages.ts';
export { outsideText, visibleText } from '../client/redact.ts';
export { buildRequest, parseInput, quoting } from '../client/request.ts';
export { requestToken } from '../client/request-token.ts';
export { unlessAborted } from '../client/shared-work.ts';
export { type TokenRequest, TokenSource } from '../client/token-source.ts';
export { causeOf, sentences } from '../errors/screen-advertising-error.ts';
export { parseJson } from '../json.ts';
export { networkFailure, timeoutFailure } from '../transport/network-failure.ts';
export { type ByteStream, maxResponseBytes, readBody, tooLarge } from '../transport/read-body.ts';
export { systemClock } from '../transport/system-clock.ts';
