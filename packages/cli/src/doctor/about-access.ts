import { type OperationName, operations } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import { judge, notSeen } from './finding.ts';
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
const statusesOf = (replies: readonly Reply[]) =>
  [...new Set(replies.map(({ status }) => status))].join(', ');

export const accessChecks = {
  async refusedCredentials(service: Service) {
    const { status } = await service.requestToken(service.unknown, service.unknown);
    const isAccepted = status === 400 || status === 403;
    return judge(`Invented credentials return ${status}`, status === 401, isAccepted);
  },
  async invalidToken(service: Service) {
    const replies: Reply[] = [];
    for (const bearer of [service.unknown, `svc_${service.unknown}`, '']) {
      replies.push(await service.get('screen.list', { limit: 1 }, bearer));
    }
    const statuses = statusesOf(replies);
    const found = `A wrong token, a wrong API key, and none return ${statuses}`;
    return judge(found, statuses === '401', replies.every(isForbidden));
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
    const without = `Without ${missing.join(', ')}`;
    if (lacking.length === 0) return notSeen(`${without}: only changes need it`);
    const statuses = statusesOf(lacking);
    const isAccepted = lacking.every(({ status }) => status < 300);
    return judge(`${without}: ${statuses}`, statuses === '403', isAccepted);
  },
  async tokenLifetime({ token }: Service) {
    const { expires_in } = fieldsOf(token?.json);
    const seconds = Number(expires_in);
    if (!token) return noToken;
    if (!(seconds > 0)) return judge('The token response has no usable expires_in', false);
    return judge(`${seconds} seconds`, expires_in === 3600, seconds >= 60);
  },
  async tokenType({ token }: Service) {
    const { token_type } = fieldsOf(token?.json);
    const isName = typeof token_type === 'string' && /^[\w-]{1,20}$/.test(token_type);
    const found = isName ? token_type : 'The token response has no usable token_type';
    return token ? judge(found, found === 'bearer') : noToken;
  },
};

/** The scopes that the token response names; undefined if it names none. */
function grantedScopes({ token }: Service): readonly string[] | undefined {
  const { scope } = fieldsOf(token?.json);
  const names = Array.isArray(scope) ? scope.map(String) : String(scope ?? '').split(/[ ,]+/);
  return names.some((name) => scopes.some((one) => one === name)) ? names : undefined;
}
