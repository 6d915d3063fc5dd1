import { recordId } from '@screen-advertising/core/platform';
import { availabilityOf, someScreens } from './about-screens.ts';
import type { Checks } from './check.ts';
import { accepted, asAssumed, differs, notSeen } from './finding.ts';
import { fieldsOf, isSuccess, namesIn, type Reply, recordsOf, succeeded } from './service.ts';
import { createdCoupon } from './with-write.ts';

/** Fields that make a record recognizable. */
const marks = ['id', 'screen_id', 'code'];

export const recordChecks: Checks<'singleRecord' | 'userLookup'> = {
  async singleRecord(service, options) {
    const screens = await someScreens(service);
    const replies: Record<string, Reply> = {
      screen: succeeded(await service.get('screen.get', { screenId: screens[0].id })),
      availability: await availabilityOf(service, screens[0]),
    };
    const [request] = recordsOf(await service.get('campaignRequest.list'));
    const id = request && recordId(request);
    if (id) replies['campaign request'] = await service.get('campaignRequest.get', { id });
    if (options.write) replies.coupon = await createdCoupon(service, options);
    const shapes = new Map<string, string[]>();
    for (const [label, reply] of Object.entries(replies)) {
      if (!isSuccess(reply)) continue;
      const shape = shapeOf(reply);
      shapes.set(shape, [...(shapes.get(shape) ?? []), label]);
    }
    const found = [...shapes].map(([shape, labels]) => `${shape}: ${labels.join(', ')}`);
    if (found.some((words) => words.startsWith('Neither'))) {
      return differs(found.join('; '), `Connectors cannot read the record. Report it.`);
    }
    const isBare = shapes.size === 1 && shapes.has('Bare');
    return (isBare ? asAssumed : accepted)(found.join('; '));
  },
  async userLookup(service, { email }) {
    const input = { email: `${service.unknown}@example.com` };
    const unknown = succeeded(await service.get('user.lookup', input));
    if (fieldsOf(fieldsOf(unknown.json).data).exists !== false) {
      const found = `An unknown user has the members ${namesIn(unknown.json)}`;
      return differs(found, `Connectors may report a user who does not exist. Report it.`);
    }
    if (!email) return notSeen('Add --email with the address of a user');
    const { json } = succeeded(await service.get('user.lookup', { email }));
    const { data, ...bare } = fieldsOf(json);
    const { exists, user_id } = fieldsOf(data);
    if (exists === false) return notSeen('There is no user with this --email');
    if (bare.user_id !== undefined) return accepted('Bare');
    if (user_id === undefined) {
      const found = `Without user_id: ${namesIn(data ?? json)}`;
      return differs(found, `Connectors cannot show the user. Report it.`);
    }
    if (exists === true) return asAssumed('Under "data", with "exists"');
    return accepted('Under "data", without "exists"');
  },
};

function shapeOf({ json }: Reply): string {
  const body = fieldsOf(json);
  if (marks.some((name) => name in body)) return 'Bare';
  if (marks.some((name) => name in fieldsOf(body.data))) return 'Under "data"';
  return `Neither bare nor under "data" (${namesIn(json)})`;
}
