/**
 * Every secret of the tests is written so that it is known wherever it shows: API keys, access
 * tokens, signing secrets with a prefix, and both secrets of the sandbox's accesses.
 */
const forms = /\b(?:svc|sat|whsec)_[\w-]{8,}|(?<!#)\b[a-z][\w-]*-(?:client|signing)-secret\b/g;

/** The secrets that a text holds. */
export function secretsIn(text: string): string[] {
  return text.match(forms) ?? [];
}
