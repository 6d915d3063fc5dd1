import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

/** The members of the JSON object in the body. */
export function readJsonObject({ headers, body }: Exchange): Record<string, unknown> {
  const contentType = headers.get('content-type') ?? '';
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(
      415,
      'unsupported-content-type',
      `The body must be JSON with the header Content-Type: application/json; ${contentType ? `got ${contentType}` : 'got no content type'}.`,
    );
  }
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'malformed-body', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  if (text.trim() === '') {
    throw new Refusal(400, 'malformed-body', 'The body is empty; it must be a JSON object.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'malformed-body', 'The body is not valid JSON.');
  }
}
