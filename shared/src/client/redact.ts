import { isRecord } from '../json.ts';

/** API keys, and bearer tokens long enough not to be the words of a sentence. */
const credential = /\bsvc_[\w.~+/=-]+|\bbearer\s+[\w.~+/=-]{20,}/gi;

/** Takes secrets out of text that came from outside and goes into an error. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret.length > 0)
    .reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
  return known.replace(credential, '[redacted]');
}

/** The same for every text in a parsed body, names of members included. */
export function redactAll(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((member) => redactAll(member, secrets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redact(name, secrets),
      redactAll(member, secrets),
    ]),
  );
}
