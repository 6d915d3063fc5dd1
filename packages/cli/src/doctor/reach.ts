import type { Auth } from '@screen-advertising/core';
import { accessVariables, outsideText } from '@screen-advertising/core/platform';
import { isRefused } from './about-access.ts';
import { fieldsOf, isSuccess, listIn, type Reply, type Service } from './service.ts';

const address = `set ${accessVariables.baseUrl} to the address that the Screen Advertising team gave you, which ends in /api/v1.`;

export function secretsOf(auth: Auth): readonly string[] {
  if (auth.kind === 'api-key') return [auth.key];
  return auth.kind === 'client-credentials' ? [auth.clientId, auth.clientSecret] : [];
}

/**
 * Gets a token if needed, and sends a first request. Returns a sentence that says what to do if the
 * service cannot be reached or refuses the credentials.
 */
export async function whyNotReached(service: Service, auth: Auth): Promise<string | undefined> {
  const secrets = secretsOf(auth);
  if (auth.kind === 'api-key') service.bearer = auth.key;
  if (auth.kind === 'client-credentials') {
    const token = await service.requestToken(auth.clientId, auth.clientSecret);
    const { access_token } = fieldsOf(token.json);
    if (isSuccess(token) && typeof access_token === 'string') {
      service.token = token;
      service.bearer = access_token;
    } else {
      const isOwn = token.status >= 400 && token.status < 500 && isFromService(token);
      return isOwn ? refused('client ID or client secret', token, secrets) : elsewhere(token);
    }
  }
  const first = await service.get('screen.list', { limit: 200 });
  const isList = !isSuccess(first) || listIn(first) !== undefined;
  if (!isFromService(first) || !isList) return elsewhere(first);
  if (!(await isRefused(service))) return undefined;
  return refused(service.token ? 'access token' : 'API key', first, secrets);
}

/** Whether the response can be one of the service to a path that exists. */
function isFromService(reply: Reply): boolean {
  const { status, json } = reply;
  return typeof json === 'object' && status !== 404 && status < 500 && !isRelay(reply);
}

function isRelay({ json }: Reply): boolean {
  return String(fieldsOf(json).type).startsWith('urn:screen-advertising:relay:');
}

function refused(what: string, { status, json }: Reply, secrets: readonly string[]): string {
  const { detail } = fieldsOf(json);
  const words = typeof detail === 'string' ? outsideText(detail, { secrets, maxLength: 200 }) : '';
  const said = words && ` The service says: "${words}"`;
  return `The service refused the ${what} (${status}): check that it is complete, belongs to this base URL, and has not been revoked.${said}`;
}

function elsewhere(reply: Reply): string {
  const { status, headers, body } = reply;
  const { location = '' } = headers;
  if (isRelay(reply)) return `The base URL leads to a relay, not to the service: ${address}`;
  if (status >= 500) {
    return `The service, or something in front of it, reported an error (${status}): run doctor again in a few minutes, and report it to the Screen Advertising team if this lasts.`;
  }
  if (status >= 300 && status < 400) {
    const target = URL.canParse(location) ? ` to ${new URL(location).host}` : '';
    return `The base URL redirects${target} (${status}), such as to a login page: ${address}`;
  }
  const [, title = ''] = /<title\b[^>]*>([^<]{1,200})</i.exec(body.slice(0, 4000)) ?? [];
  const page = title && `, titled "${outsideText(title, { maxLength: 60 })}"`;
  if (/^\s*</.test(body)) return `The base URL leads to a web page (${status}${page}): ${address}`;
  return `The base URL leads to something else than the service (${status}): ${address}`;
}
