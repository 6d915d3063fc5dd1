import { expect, it } from '@jest/globals';
import type { EventName } from '@screen-advertising/core';
import { problemDetail, start } from '../support/running-sandbox.ts';

const halfPair = '\ud800';
const noMoment = 'must be a timestamp such as 2027-03-31T23:59:59Z.';

it.each<[string, object, string]>([
  ['screens', { created_at: '31.03.2027' }, `created_at: ${noMoment}`],
  ['screens', { created_at: '2027-02-30T10:00:00Z' }, `created_at: ${noMoment}`],
  ['screens', { id: halfPair }, 'id: must be well-formed Unicode.'],
  ['screens', { city: `Ber${halfPair}lin` }, 'city: must be well-formed Unicode.'],
  ['screens', { description: halfPair }, 'description: must be well-formed Unicode.'],
  ['screens', { name: '' }, 'name: must not be empty.'],
  ['screens', { country: 'de' }, 'country: must be 2 capital letters.'],
  ['screens', { latitude: 91 }, 'latitude: '],
  ['screens', { colour: 'red' }, '"colour"'],
  ['users', { registered_at: '31.03.2027' }, `registered_at: ${noMoment}`],
  ['users', { user_id: halfPair }, 'user_id: must be well-formed Unicode.'],
  ['users', { email: 'nobody' }, 'email: must be an email address such as lead@example.com.'],
  ['campaign-requests', { created_at: 'tomorrow' }, `created_at: ${noMoment}`],
  ['campaign-requests', { industry: halfPair }, 'industry: must be well-formed Unicode.'],
  ['campaign-requests', { status: 'open' }, 'status: '],
  ['campaign-requests', { accessId: 'nobody' }, 'Unknown access nobody'],
])('a record of %s with a field that cannot be is rejected: %j', async (kind, fields, why) => {
  const { admin, sandbox } = await start();
  const before = JSON.stringify(sandbox.snapshot());
  expect(problemDetail(await admin('POST', `/${kind}`, { body: fields }), 400)).toContain(why);
  expect(JSON.stringify(sandbox.snapshot())).toBe(before);
});

it.each<[EventName, object, string]>([
  ['user.registered', { email: 'nobody' }, 'email: must be an email address'],
  ['campaign_request.created', { created_at: 'tomorrow' }, `created_at: ${noMoment}`],
  ['campaign_request.rejected', { created_at: 'tomorrow' }, `created_at: ${noMoment}`],
])('an event %s with a field that cannot be is rejected: %j', async (type, data, why) => {
  const { sandbox } = await start();
  await expect(sandbox.fire(type, { ...data })).rejects.toThrow(why);
});

it('null on a known record clears an optional field, while undefined keeps it', async () => {
  const { sandbox } = await start();
  const user = { user_id: 'usr_x', vat_uid: 'DE1', referredBy: 'full' };
  sandbox.users.add(user);
  const kept = { user_id: 'usr_x', vat_uid: undefined, referredBy: undefined };
  expect(sandbox.users.add(kept)).toMatchObject(user);
  const cleared = { user_id: 'usr_x', vat_uid: null, referredBy: null };
  expect(sandbox.users.add(cleared)).toMatchObject(cleared);

  const request = sandbox.campaignRequests.add({ id: 'cr_0001', status: undefined });
  expect(request.status).toBe('rejected');
  expect(sandbox.campaignRequests.add({ id: 'cr_0001', status: null }).status).toBeNull();
});
