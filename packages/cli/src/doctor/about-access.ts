import { type OperationName, operations } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import { harmless, judge, notSeen } from './finding.ts';
import { type Fields, fieldsOf, isForbidden, type Reply, type Service } from './service.ts';

/** Reads that need a scope each. */
const reads: readonly (readonly [OperationName, (unknown: string) => Fields])[] = [
  ['screen.list', () => ({ limit: 200 })],
  ['campaignRequest.list', () => ({})],
  ['coupon.get', (code) => ({ code })],
  ['user.lookup', (name) => ({ email: `${name}@example.com` })],
];

/** Whether every read is refused like one with an invented token. */
export async function isRefused(service: Service): Promise<boolean> {
  for (const [name, input] of reads) {
    const { status } = await service.get(name, input(service.unknown));
    if (!isForbidden({ status })) return false;
    const wrong = await service.get('screen.list', { limit: 1 }, service.unknown);
    if (status !== wrong.status) return false;
  }
  return true;
}

const noToken = notSeen('API keys need no token');

export const accessChecks = {
  async refusedCredentials(service: Service) {
    const { status } = await service.requestToken(service.unknown, service.unknown);
    const found = `Invented credentials return ${status}`;
    const action = 'Errors will not say that the credentials are wrong. Report it.';
    return judge(found, status === 401, [400, 403].includes(status), action);
  },
  async invalidToken(service: Service) {
    const replies: Reply[] = [];
    for (const bearer of [service.unknown, `svc_${service.unknown}`, '']) {
      replies.push(await service.get('screen.list', { limit: 1 }, bearer));
    }
    const statuses = [...new Set(replies.map(({ status }) => status))];
    const found = `A wrong token, a wrong API key, and none return ${statuses.join(', ')}`;
    const action = 'Connectors may not renew an expired token. Report it.';
    return judge(found, `${statuses}` === '401', replies.every(isForbidden), action);
  },
  async missingScope(service: Service) {
    const granted = grantedScopes(service);
    const lacking: Reply[] = [];
    const needed: string[] = [];
    for (const [name, input] of reads) {
      const reply = await service.get(name, input(service.unknown));
      const { scopes } = operations[name];
      const isGranted = granted && scopes.some((scope) => granted.includes(scope));
      if (isGranted ?? !isForbidden(reply)) continue;
      needed.push(scopes.join(' or '));
      lacking.push(reply);
    }
    const missing = granted ? scopes.filter((scope) => !granted.includes(scope)) : needed;
    if (missing.length === 0) return notSeen('No scope is missing');
    const statuses = [...new Set(lacking.map(({ status }) => status))];
    if (statuses.length === 0)
      return notSeen(`Without ${missing.join(', ')}: only changes need it`);
    const found = `Without ${missing.join(', ')}: ${statuses.join(', ')}`;
    const action = 'Errors will not name the missing scope. Report it.';
    return judge(
      found,
      `${statuses}` === '403',
      statuses.every((status) => status < 300),
      action,
    );
  },
  async tokenLifetime({ token }: Service) {
    const { expires_in } = fieldsOf(token?.json);
    const seconds = Number(expires_in);
    if (!token) return noToken;
    if (!(seconds > 0)) return harmless('The token response has no usable expires_in', false);
    const action = 'Connectors need more tokens than they may request. Ask for a longer lifetime.';
    return judge(`${seconds} seconds`, expires_in === 3600, seconds >= 60, action);
  },
  async tokenType({ token }: Service) {
    const { token_type } = fieldsOf(token?.json);
    const isName = typeof token_type === 'string' && /^[\w-]{1,20}$/.test(token_type);
    const found = isName ? token_type : 'The token response has no usable token_type';
    return token ? harmless(found, found === 'bearer') : noToken;
  },
};

/** The scopes that the token response names; undefined if it names none. */
function grantedScopes({ token }: Service): readonly string[] | undefined {
  const { scope } = fieldsOf(token?.json);
  const names = Array.isArray(scope) ? scope.map(String) : String(scope ?? '').split(/[ ,]+/);
  return names.some((name) => scopes.some((one) => one === name)) ? names : undefined;
}
