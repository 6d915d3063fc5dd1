import { describe, expect, it } from '@jest/globals';
import type { EventName } from '@screen-advertising/core';
import { noticeIn, openInspector } from '../inspector/support.ts';
import { problemDetail } from '../support/problem.ts';
import { start } from '../support/running-sandbox.ts';

type Kind = 'screens' | 'users' | 'campaign-requests';

const halfPair = '\ud800';
const noMoment = 'must be a timestamp such as 2027-03-31T23:59:59Z.';

const faulty: readonly (readonly [Kind, object, string])[] = [
  ['screens', { created_at: '31.03.2027' }, `created_at: ${noMoment}`],
  ['screens', { created_at: '2027-02-30T10:00:00Z' }, `created_at: ${noMoment}`],
  ['screens', { id: halfPair }, 'id: must be well-formed Unicode.'],
  ['screens', { city: `Ber${halfPair}lin` }, 'city: must be well-formed Unicode.'],
  ['screens', { description: halfPair }, 'description: must be well-formed Unicode.'],
  ['screens', { name: '' }, 'name: must not be empty.'],
  ['screens', { country: 'de' }, 'country: must be 2 capital letters.'],
  ['users', { registered_at: '31.03.2027' }, `registered_at: ${noMoment}`],
  ['users', { user_id: halfPair }, 'user_id: must be well-formed Unicode.'],
  ['users', { email: 'nobody' }, 'email: must be an email address such as lead@example.com.'],
  ['campaign-requests', { created_at: 'tomorrow' }, `created_at: ${noMoment}`],
  ['campaign-requests', { industry: halfPair }, 'industry: must be well-formed Unicode.'],
  ['campaign-requests', { status: 'open' }, 'status: '],
];

const eventsOf: Readonly<Record<Kind, readonly EventName[]>> = {
  screens: [],
  users: ['user.registered'],
  'campaign-requests': ['campaign_request.created', 'campaign_request.rejected'],
};
const faultyEvents = faulty.flatMap(([kind, data, why]) =>
  eventsOf[kind].map((type) => [type, data, why] as const),
);

describe.each(faulty)('a record of %s with %j', (kind, fields, why) => {
  it('is rejected over HTTP, with the field and how to write it', async () => {
    const { admin, sandbox } = await start();
    const before = JSON.stringify(sandbox.snapshot());
    expect(problemDetail(await admin('POST', `/${kind}`, { body: fields }), 400)).toContain(why);
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
  });

  it('is rejected from code', async () => {
    const { sandbox } = await start();
    const add = {
      screens: () => sandbox.screens.add(fields),
      users: () => sandbox.users.add(fields),
      'campaign-requests': () => sandbox.campaignRequests.add(fields),
    };
    expect(add[kind]).toThrow(why);
  });
});

describe.each(faultyEvents)('the event %s with %j', (type, data, why) => {
  it('is rejected from code, over HTTP and in the form', async () => {
    const { admin, sandbox } = await start();
    await expect(sandbox.fire(type, { ...data })).rejects.toThrow(why);
    const fired = await admin('POST', '/events', { body: { type, data } });
    expect(problemDetail(fired, 400)).toContain(why);
    const form = await openInspector().submit('fire-event', { type, more: JSON.stringify(data) });
    expect(form.status).toBe(400);
    expect(await noticeIn(form)).toContain(why);
  });
});

describe('null on a known record', () => {
  it('clears an optional field, while undefined keeps it', async () => {
    const { sandbox } = await start();
    const user = { user_id: 'usr_x', vat_uid: 'DE1', referredBy: 'full' };
    sandbox.users.add(user);
    const kept = { user_id: 'usr_x', vat_uid: undefined, referredBy: undefined };
    expect(sandbox.users.add(kept)).toMatchObject(user);
    const cleared = { user_id: 'usr_x', vat_uid: null, referredBy: null };
    expect(sandbox.users.add(cleared)).toMatchObject(cleared);

    const request = { id: 'cr_0001', status: 'rejected' };
    expect(sandbox.campaignRequests.add({ id: 'cr_0001', status: undefined })).toMatchObject(
      request,
    );
    expect(sandbox.campaignRequests.add({ id: 'cr_0001', status: null }).status).toBeNull();
  });
});
