/** Headers that usually name a request, the most specific first (assumption `requestId`). */
const names = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'correlation-id',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'cf-ray',
] as const;

/** One word of ASCII; an ID is not longer. */
const shape = /^[\x21-\x7e]{1,128}$/;

/** The ID under which the service, or a proxy before it, logged a request. */
export function readRequestId(
  headers: Readonly<Record<string, string>> | undefined,
): string | undefined {
  const texts = names.map((name) => headers?.[name]?.trim());
  return texts.find((text) => text !== undefined && shape.test(text));
}
