import { recordId } from '@screen-advertising/core/platform';
import { differs, judge, notSeen } from './finding.ts';
import {
  fieldsOf,
  isRejected,
  namesIn,
  type Reply,
  recordsOf,
  type Service,
  succeeded,
} from './service.ts';

const outcomes = ['rejected', 'abandoned', 'no_inventory', 'converted'];

export const campaignRequestChecks = {
  async campaignRequestList(service: Service) {
    const { json, headers } = await service.read('campaignRequest.list');
    const isBare = Array.isArray(json);
    const { data, pagination, ...others } = isBare ? { data: json } : fieldsOf(json);
    if (!Array.isArray(data)) {
      const found = `Neither a list nor a list under "data": ${namesIn(json)}`;
      return differs(found, 'Connectors cannot read campaign requests. Report it.');
    }
    if (typeof pagination === 'object') return judge('Under "data", with pagination', true);
    // Other ways to page would hide all further pages from the connectors.
    const pages = headers.link ? 'the header Link' : namesIn(others);
    const found = `${isBare ? 'Bare' : 'Under "data"'}, with ${pages === 'none' ? 'no pages' : pages}`;
    return judge(found, false, pages === 'none');
  },
  async openRequest(service: Service) {
    const records = recordsOf(await service.read('campaignRequest.list'));
    const open = records.filter(({ status }) => !outcomes.includes(String(status)));
    if (open.length === 0) return notSeen(`All of ${records.length} requests have an outcome`);
    const others = open.filter(({ status }) => status != null);
    const found = `null in ${open.length - others.length} of ${open.length} without an outcome`;
    return judge(found, others.length === 0);
  },
  async campaignRequestPeriod(service: Service) {
    const records = recordsOf(await service.read('campaignRequest.list'));
    const middle = records[Math.floor(records.length / 2)];
    const [, created] = Object.entries(middle ?? {}).find(([name]) => /^creat/i.test(name)) ?? [];
    const time = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    if (!middle || Number.isNaN(time)) return notSeen('No campaign request has a time of creation');
    const day = (days: number) => new Date(time + days * 86_400_000).toISOString().slice(0, 10);
    const search = (days: number) =>
      service.get('campaignRequest.list', { from: day(-days), to: day(days) });
    const isIn = (reply: Reply) =>
      recordsOf(succeeded(reply)).some((record) => recordId(record) === recordId(middle));
    const sameDay = await search(0);
    if (isRejected(sameDay)) {
      const found = `Dates as YYYY-MM-DD are rejected (${sameDay.status})`;
      return differs(found, 'Filters by date fail. Ask for the format of from and to.');
    }
    if (isIn(sameDay)) return judge('One day includes its requests', true);
    const isNear = isIn(await search(1));
    const found = isNear
      ? 'A day excludes its requests, the next one includes them'
      : 'from and to are not about the creation';
    return judge(found, false, isNear);
  },
};
