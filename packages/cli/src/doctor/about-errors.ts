import { judge, notSeen } from './finding.ts';
import { fieldsOf, type Service } from './service.ts';

const members = ['type', 'title', 'status', 'detail'];

/** They look at all other responses, so they are the last. */
export const errorChecks = {
  async problemDocuments({ replies }: Service) {
    const errors = replies.filter(({ status }) => status >= 400);
    const problems = errors.map(({ json }) => fieldsOf(json));
    const silent = problems.filter(
      ({ title, detail }) => ![title, detail].some((text) => text && typeof text === 'string'),
    );
    if (silent.length > 0) {
      const count = `${silent.length} of ${errors.length}`;
      return judge(`${count} errors have neither title nor detail`, false, false);
    }
    const lacks = members.filter((name) => problems.some(({ [name]: value }) => value == null));
    if (lacks.length > 0) return judge(`Without ${lacks.join(', ')}`, false);
    const isTyped = errors.every(({ headers }) =>
      headers['content-type']?.startsWith('application/problem+json'),
    );
    if (!isTyped) return judge('All members, with another content type', false);
    return judge(`All ${errors.length} errors`, true);
  },
  async retryAfter({ replies }: Service) {
    const met = replies.find(({ status }) => status === 429);
    if (!met) return notSeen('No rate limit was met');
    const header = met.headers['retry-after'] ?? '';
    if (!/^\d+$/.test(header)) return judge(header ? 'A date' : '429 without Retry-After', false);
    const isSame = Number(header) === fieldsOf(met.json).retry_after;
    return judge(isSame ? 'Seconds, and the same' : 'Seconds; retry_after differs', isSame);
  },
  async requestId({ replies }: Service) {
    const names = replies.flatMap(({ headers }) => Object.keys(headers));
    const found = names.find((name) => /request-?id|correlation-id|^cf-ray$/.test(name));
    return judge(found ?? 'Absent', true);
  },
};
