import { describe, expect, it } from '@jest/globals';
import { noticeIn, openInspector } from '../inspector/support.ts';
import { problemDetail, start } from '../support/running-sandbox.ts';

const halfPair = '\ud800';
const noMoment = 'must be a timestamp such as 2027-03-31T23:59:59Z.';

describe('a record with a field that cannot be', () => {
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
  ])('of %s is rejected: %j', async (kind, fields, why) => {
    const { admin, sandbox } = await start();
    const before = JSON.stringify(sandbox.snapshot());
    expect(problemDetail(await admin('POST', `/${kind}`, { body: fields }), 400)).toContain(why);
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
  });
});

describe('an event with a field that cannot be', () => {
  const [type, email] = ['user.registered', 'email: must be an email address'] as const;
  const data = { email: 'nobody' };

  it('is rejected from code, over HTTP and in the form', async () => {
    const { admin, sandbox } = await start();
    await expect(sandbox.fire(type, data)).rejects.toThrow(email);
    const fired = await admin('POST', '/events', { body: { type, data } });
    expect(problemDetail(fired, 400)).toContain(email);
    const form = await openInspector().submit('fire-event', { type, more: JSON.stringify(data) });
    expect(form.status).toBe(400);
    expect(await noticeIn(form)).toContain(email);
  });

  it.each(['campaign_request.created', 'campaign_request.rejected'] as const)(
    'is rejected for %s, too',
    async (name) => {
      const { sandbox } = await start();
      const fired = sandbox.fire(name, { created_at: 'tomorrow' });
      await expect(fired).rejects.toThrow(`created_at: ${noMoment}`);
    },
  );
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

    const request = sandbox.campaignRequests.add({ id: 'cr_0001', status: undefined });
    expect(request.status).toBe('rejected');
    expect(sandbox.campaignRequests.add({ id: 'cr_0001', status: null }).status).toBeNull();
  });
});
