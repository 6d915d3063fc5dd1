import { type OperationName, operations } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import type { Checks } from './check.ts';
import { accepted, asAssumed, differs, notSeen } from './finding.ts';
import { type Fields, fieldsOf, isForbidden, type Service } from './service.ts';

/** Reads that need a scope each. */
const reads: readonly (readonly [OperationName, (service: Service) => Fields])[] = [
  ['screen.list', () => ({ limit: 200 })],
  ['campaignRequest.list', () => ({})],
  ['coupon.get', ({ unknown }) => ({ code: unknown })],
  ['user.lookup', ({ unknown }) => ({ email: `${unknown}@example.com` })],
];

/** One reply for each scope that reads. */
export async function readAll(service: Service) {
  const replies = [];
  for (const [name, input] of reads) {
    replies.push({ name, reply: await service.get(name, input(service)) });
  }
  return replies;
}

export const accessChecks: Checks<
  'refusedCredentials' | 'invalidToken' | 'missingScope' | 'tokenLifetime' | 'tokenType'
> = {
  async refusedCredentials(service) {
    const { status } = await service.requestToken(service.unknown, service.unknown);
    const found = `Made-up credentials return ${status}`;
    if (status === 401) return asAssumed(found);
    if (status === 400 || status === 403) return accepted(found);
    return differs(found, `Errors will not say that the credentials are wrong. Report it.`);
  },
  async invalidToken(service) {
    const statuses: number[] = [];
    for (const bearer of [service.unknown, `svc_${service.unknown}`, '']) {
      statuses.push((await service.get('screen.list', { limit: 1 }, bearer)).status);
    }
    const found = `A wrong token, a wrong API key, and none return ${[...new Set(statuses)].join(', ')}`;
    if (statuses.every((status) => status === 401)) return asAssumed(found);
    if (statuses.every((status) => isForbidden({ status }))) return accepted(found);
    return differs(found, `Connectors may not renew an expired token. Report it.`);
  },
  async missingScope(service) {
    const granted = grantedScopes(service);
    const lacking = [];
    const statuses = new Set<number>();
    for (const { name, reply } of await readAll(service)) {
      const needed = operations[name].scopes;
      const isGranted = granted && needed.some((scope) => granted.includes(scope));
      if (isGranted ?? !isForbidden(reply)) continue;
      lacking.push(needed.join(' or '));
      statuses.add(reply.status);
    }
    const missing = granted ? scopes.filter((scope) => !granted.includes(scope)) : lacking;
    if (missing.length === 0) return notSeen('No scope is missing');
    const found = `Without ${missing.join(', ')}`;
    if (statuses.size === 0) return notSeen(`${found}, which only changes need`);
    const seen = `${found}: ${[...statuses].join(', ')}`;
    if ([...statuses].every((status) => status === 403)) return asAssumed(seen);
    if ([...statuses].every((status) => status < 300)) return accepted(seen);
    return differs(seen, `Errors will not name the missing scope. Report it.`);
  },
  async tokenLifetime({ token }) {
    if (!token) return notSeen('API keys need no token');
    const { expires_in } = fieldsOf(token.json);
    if (expires_in === 3600) return asAssumed('3600 seconds');
    const seconds = Number(expires_in);
    if (!(seconds > 0)) return accepted('The token response has no usable expires_in');
    if (seconds >= 60) return accepted(`${seconds} seconds`);
    return differs(
      `${seconds} seconds`,
      'Connectors need more tokens than the service grants in a minute. Ask for a longer lifetime.',
    );
  },
  async tokenType({ token }) {
    if (!token) return notSeen('API keys need no token');
    const { token_type } = fieldsOf(token.json);
    if (token_type === 'bearer') return asAssumed('bearer');
    const isName = typeof token_type === 'string' && /^[\w-]{1,20}$/.test(token_type);
    return accepted(isName ? token_type : 'The token response has no usable token_type');
  },
};

/** The scopes that the token response names; undefined if it names none. */
function grantedScopes({ token }: Service): readonly string[] | undefined {
  const { scope } = fieldsOf(token?.json);
  const names = Array.isArray(scope) ? scope.map(String) : String(scope ?? '').split(/[ ,]+/);
  return names.some((name) => scopes.some((one) => one === name)) ? names : undefined;
}

/** Whether every read is refused like one with a made-up token. */
export async function isRefused(service: Service): Promise<boolean> {
  for (const [name, input] of reads) {
    const { status } = await service.get(name, input(service));
    if (!isForbidden({ status })) return false;
    const wrong = await service.get('screen.list', { limit: 1 }, service.unknown);
    if (status !== wrong.status) return false;
  }
  return true;
}
