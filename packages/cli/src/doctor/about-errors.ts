import { someScreens } from './about-screens.ts';
import { differs, harmless, judge, notSeen } from './finding.ts';
import { fieldsOf, isForbidden, type Service } from './service.ts';

export const errorChecks = {
  async invalidParameter(service: Service) {
    const [{ id: screenId }] = await someScreens(service);
    const input = { screenId, from: 'doctor', to: 'doctor' };
    const { status } = await service.get('screen.availability', input);
    // Clients check dates before they send them.
    const isAccepted = status === 422 || status < 300;
    const action = 'Errors will name another cause. Report it.';
    return judge(`A wrong date returns ${status}`, status === 400, isAccepted, action);
  },
  async unknownCoupon(service: Service) {
    const coupon = await service.get('coupon.get', { code: service.unknown });
    const request = await service.get('campaignRequest.get', { id: service.unknown });
    if (isForbidden(coupon)) return notSeen(`${coupon.request} returns ${coupon.status}`);
    const found = `An unknown coupon returns ${coupon.status}, a campaign request ${request.status}`;
    const [isFine, isSame] = [coupon.status === 404, request.status === coupon.status];
    const action = 'Finding a coupon fails instead of finding nothing. Report it.';
    return judge(found, isFine && isSame, isFine, action);
  },
};

/** They look at all other responses, so they are the last. */
export const lastChecks = {
  async problemDocuments({ replies }: Service) {
    const errors = replies.filter(({ status }) => status >= 400);
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    const problems = errors.map(({ json }) => fieldsOf(json));
    const silent = problems.filter(({ title, detail }) => !isText(title) && !isText(detail));
    if (silent.length > 0) {
      const found = `${silent.length} of ${errors.length} errors have neither title nor detail`;
      return differs(found, 'Error messages will show only the status. Report it.');
    }
    const lacks = ['type', 'title', 'status', 'detail'].filter((name) =>
      problems.some((problem) => problem[name] === undefined),
    );
    if (lacks.length > 0) return harmless(`Without ${lacks.join(', ')}`, false);
    const isTyped = errors.every(({ headers }) =>
      headers['content-type']?.startsWith('application/problem+json'),
    );
    const found = isTyped
      ? `All ${errors.length} errors`
      : 'All members, with another content type';
    return harmless(found, isTyped);
  },
  async retryAfter({ replies }: Service) {
    const met = replies.find(({ status }) => status === 429);
    if (!met) return notSeen('No rate limit was met');
    const header = met.headers['retry-after'] ?? '';
    if (!/^\d+$/.test(header))
      return harmless(header ? 'A date' : '429 without Retry-After', false);
    const isSame = Number(header) === fieldsOf(met.json).retry_after;
    return harmless(isSame ? 'Seconds, and the same' : 'Seconds; retry_after differs', isSame);
  },
  async requestId({ replies }: Service) {
    const names = replies.flatMap(({ headers }) => Object.keys(headers));
    const found = names.find((name) => /request-?id|correlation-id|^cf-ray$/.test(name));
    return harmless(found ?? 'Absent', true);
  },
};
