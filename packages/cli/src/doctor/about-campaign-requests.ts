import { recordId } from '@screen-advertising/core/platform';
import type { Checks } from './check.ts';
import { accepted, asAssumed, differs, notSeen } from './finding.ts';
import {
  type Fields,
  fieldsOf,
  isRejected,
  namesIn,
  recordsOf,
  type Service,
  succeeded,
} from './service.ts';

const outcomes = ['rejected', 'abandoned', 'no_inventory', 'converted'];

const list = async (service: Service) => succeeded(await service.get('campaignRequest.list'));

export const campaignRequestChecks: Checks<
  'campaignRequestList' | 'openRequest' | 'campaignRequestPeriod'
> = {
  async campaignRequestList(service) {
    const { json, headers } = await list(service);
    const { data, pagination, ...others } = fieldsOf(json);
    if (!Array.isArray(json) && !Array.isArray(data)) {
      const found = `Neither a list nor a list under "data": ${namesIn(json)}`;
      return differs(found, `Connectors cannot read campaign requests. Report it.`);
    }
    if (Array.isArray(data) && typeof pagination === 'object') {
      return asAssumed('Under "data", with pagination');
    }
    const shape = Array.isArray(json) ? 'A bare list' : 'Under "data"';
    // Other ways to page would hide all further pages from the connectors.
    const isPaged =
      headers.link !== undefined || (!Array.isArray(json) && namesIn(others) !== 'none');
    if (!isPaged) return accepted(`${shape}, without pages`);
    const found = `${shape}, with ${headers.link ? 'the header Link' : namesIn(others)}`;
    return differs(found, `Connectors may read only the first page. Report it.`);
  },
  async openRequest(service) {
    const records = recordsOf(await list(service));
    const open = records.filter(({ status }) => !outcomes.includes(String(status)));
    if (open.length === 0) return notSeen(`All of ${records.length} requests have an outcome`);
    const others = open.map(({ status }) => status).filter((status) => status != null);
    const count = `of ${open.length} requests without an outcome`;
    if (others.length > 0) return accepted(`Another value in ${others.length} ${count}`);
    return asAssumed(`null in all ${count}`);
  },
  async campaignRequestPeriod(service) {
    const reply = await list(service);
    const records = recordsOf(reply);
    const middle = records[Math.floor(records.length / 2)];
    const created = middle && createdAt(middle);
    if (!created) return notSeen('No campaign request has a time of creation');
    const isIn = async (from: string, to: string) => {
      const found = await service.get('campaignRequest.list', { from, to });
      if (isRejected(found)) return found.status;
      return recordsOf(succeeded(found)).some((record) => recordId(record) === recordId(middle));
    };
    const day = await isIn(dayOf(created), dayOf(created));
    if (typeof day === 'number') {
      const found = `Dates as YYYY-MM-DD are rejected (${day})`;
      return differs(found, 'Filters by date fail. Ask for the format of from and to.');
    }
    const isPaged = fieldsOf(fieldsOf(reply.json).pagination).has_more === true;
    const pages = isPaged ? `; a page has ${records.length} records` : '';
    if (day) return asAssumed(`One day includes its requests${pages}`);
    const isNear = await isIn(dayOf(created, -1), dayOf(created, 1));
    if (isNear) return accepted(`"to" excludes its day, or days are of another time zone${pages}`);
    return differs(
      'from and to are not about the time of creation',
      'Filters by date find other requests. Ask which time they mean.',
    );
  },
};

function createdAt(record: Fields): number | undefined {
  const [, value] = Object.entries(record).find(([name]) => /^creat/i.test(name)) ?? [];
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function dayOf(time: number, days = 0): string {
  return new Date(time + days * 86_400_000).toISOString().slice(0, 10);
}
