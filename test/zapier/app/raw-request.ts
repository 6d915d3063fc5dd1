import type { IncomingHttpHeaders } from 'node:http';
import type { RawRequest } from './runner.ts';

/**
 * A delivery as Zapier passes it to the app: `x-service-signature` becomes
 * `Http-X-Service-Signature`.
 */
export function asRawRequest(headers: IncomingHttpHeaders, body: Buffer): RawRequest {
  const named = Object.entries(headers).map(([name, value]) => [
    `Http-${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}`,
    String(value),
  ]);
  return { headers: Object.fromEntries(named), content: body.toString('utf8') };
}
