import { recordId } from '@screen-advertising/core/platform';
import { availabilityOf, someScreens } from './about-screens.ts';
import { differs, judge, notSeen } from './finding.ts';
import {
  fieldsOf,
  isForbidden,
  isSuccess,
  namesIn,
  type Reply,
  recordsOf,
  type Service,
} from './service.ts';
import { createdCoupon, type DoctorOptions } from './with-write.ts';

export const recordChecks = {
  async singleRecord(service: Service, options: DoctorOptions) {
    const [screen] = await someScreens(service);
    const replies: Record<string, Reply> = {
      screen: await service.read('screen.get', { screenId: screen.id }),
      availability: await availabilityOf(service, screen),
    };
    const [request] = recordsOf(await service.get('campaignRequest.list'));
    const id = request && recordId(request);
    if (id) replies['campaign request'] = await service.get('campaignRequest.get', { id });
    if (options.write) replies.coupon = await createdCoupon(service, options);
    const seen = Object.entries(replies).filter(([, reply]) => isSuccess(reply));
    const shapes = [...new Set(seen.map(([, reply]) => shapeOf(reply)))];
    const found = shapes.map((shape) => {
      const labels = seen.filter(([, reply]) => shapeOf(reply) === shape).map(([label]) => label);
      return `${shape}: ${labels.join(', ')}`;
    });
    const isReadable = shapes.every((shape) => !shape.startsWith('Neither'));
    return judge(found.join('; '), `${shapes}` === 'Bare', isReadable);
  },
  async userLookup(service: Service, { email }: DoctorOptions) {
    const input = { email: `${service.unknown}@example.com` };
    const unknown = await service.read('user.lookup', input);
    if (fieldsOf(fieldsOf(unknown.json).data).exists !== false) {
      const found = `An unknown user has the members ${namesIn(unknown.json)}`;
      return differs(found, 'Connectors may report a user who does not exist. Report it.');
    }
    if (!email) return notSeen('Add --email with the address of a user');
    const { json } = await service.read('user.lookup', { email });
    const { data, user_id } = fieldsOf(json);
    const { exists, user_id: inner } = fieldsOf(data);
    if (exists === false) return notSeen('There is no user with this --email');
    if (user_id !== undefined) return judge('Bare', false);
    const isWhole = inner !== undefined;
    const found = isWhole ? 'Under "data"' : `Without user_id: ${namesIn(data ?? json)}`;
    const more = exists === true ? ', with "exists"' : '';
    return judge(`${found}${more}`, isWhole && exists === undefined, isWhole);
  },
  async unknownCoupon(service: Service) {
    const coupon = await service.get('coupon.get', { code: service.unknown });
    const request = await service.get('campaignRequest.get', { id: service.unknown });
    if (isForbidden(coupon)) return notSeen(`${coupon.request} returns ${coupon.status}`);
    const found = `An unknown coupon returns ${coupon.status}, a campaign request ${request.status}`;
    const isFine = coupon.status === 404;
    return judge(found, isFine && request.status === 404, isFine);
  },
};

/** Fields that make a record recognizable. */
const marks = ['id', 'screen_id', 'code'];

function shapeOf({ json }: Reply): string {
  const body = fieldsOf(json);
  if (marks.some((name) => name in body)) return 'Bare';
  if (marks.some((name) => name in fieldsOf(body.data))) return 'Under "data"';
  return `Neither bare nor under "data" (${namesIn(json)})`;
}
