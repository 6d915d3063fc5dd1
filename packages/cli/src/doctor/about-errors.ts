import type { Checks } from './check.ts';
import { accepted, asAssumed, differs, notSeen } from './finding.ts';
import { fieldsOf, isForbidden, type Reply, recordsOf, succeeded } from './service.ts';

export const errorChecks: Checks<
  'invalidParameter' | 'unknownCoupon' | 'problemDocuments' | 'retryAfter'
> = {
  async invalidParameter(service) {
    const [screen] = recordsOf(succeeded(await service.get('screen.list', { limit: 200 })));
    if (!screen) return notSeen('The list of screens is empty');
    const input = { screenId: screen.id, from: 'doctor', to: 'doctor' };
    const { status } = await service.get('screen.availability', input);
    const found = `A wrong date returns ${status}`;
    if (status === 400) return asAssumed(found);
    // Clients check dates before they send them.
    if (status === 422 || status < 300) return accepted(found);
    return differs(found, `Errors will name another cause. Report it.`);
  },
  async unknownCoupon(service) {
    const coupon = await service.get('coupon.get', { code: service.unknown });
    const request = await service.get('campaignRequest.get', { id: service.unknown });
    if (isForbidden(coupon)) return notSeen(`${coupon.request} returns ${coupon.status}`);
    const found = `An unknown coupon returns ${coupon.status}, a campaign request ${request.status}`;
    if (coupon.status !== 404) {
      return differs(found, `Finding a coupon fails instead of finding nothing. Report it.`);
    }
    return request.status === 404 ? asAssumed(found) : accepted(found);
  },
  async problemDocuments({ replies }) {
    const errors = replies.filter(({ status }) => status >= 400);
    if (errors.length === 0) return notSeen('No request failed');
    const silent = errors.filter((reply) => !saysWhy(reply));
    if (silent.length > 0) {
      const found = `${silent.length} of ${errors.length} errors have neither title nor detail`;
      return differs(found, `Error messages will show only the status. Report it.`);
    }
    const lacks = ['type', 'title', 'status', 'detail'].filter((name) =>
      errors.some(({ json }) => fieldsOf(json)[name] === undefined),
    );
    const isTyped = errors.every(({ headers }) =>
      headers['content-type']?.startsWith('application/problem+json'),
    );
    if (lacks.length > 0) return accepted(`Without ${lacks.join(' and ')}`);
    return isTyped
      ? asAssumed(`All ${errors.length} errors`)
      : accepted('All members, but another content type');
  },
  async retryAfter({ replies }) {
    const met = replies.find(({ status }) => status === 429);
    if (!met) return notSeen('No rate limit was met');
    const header = met.headers['retry-after'];
    const { retry_after } = fieldsOf(met.json);
    if (header === undefined) return accepted('429 without the header Retry-After');
    if (!/^\d+$/.test(header)) return accepted('Retry-After is a date');
    const isSame = Number(header) === retry_after;
    return isSame ? asAssumed('Seconds, and the same') : accepted('Seconds; retry_after differs');
  },
};

function saysWhy({ json }: Reply): boolean {
  const { title, detail } = fieldsOf(json);
  return [title, detail].some((text) => typeof text === 'string' && text !== '');
}
