import { describe, expect, it } from '@jest/globals';
import { type EventName, events } from '@screen-advertising/core';
import { eventNames } from '../../support/catalogue-names.ts';
import { startReceiver } from '../support/receiver.ts';
import { problemDetail, type Running, start } from '../support/running-sandbox.ts';

async function listening(): Promise<Running & { received: () => Record<string, unknown>[] }> {
  const service = await start();
  const receiver = await startReceiver();
  for (const { id } of service.sandbox.accesses) {
    service.sandbox.webhooks.add({ url: receiver.url, access: id });
  }
  return {
    ...service,
    received: () => receiver.arrivals.map(({ body }) => JSON.parse(body).data),
  };
}

describe('firing an event', () => {
  it.each<[EventName, string[]]>([
    ['user.registered', ['user_id', 'email', 'registered_at']],
    ['campaign.paid', ['campaign_id', 'user_id', 'amount_cents', 'paid_at']],
    ['coupon.redeemed', ['code', 'lead_email', 'redeemed_at']],
    ['campaign_request.created', ['id', 'industry', 'email', 'created_at']],
    ['campaign_request.rejected', ['id', 'status', 'industry', 'email', 'rejected_at']],
  ])('%s carries at least %j, and what is added', async (name, fields) => {
    const { sandbox, received } = await listening();
    await sandbox.fire(name, { note: 'added' });
    const [data = {}] = received();
    expect(Object.keys(data)).toEqual(expect.arrayContaining([...fields, 'note']));
  });

  it('rejects an unknown event, and an unknown access', async () => {
    const { sandbox } = await start();
    await expect(sandbox.fire('coupon.eaten' as EventName)).rejects.toThrow(
      `type coupon.eaten is not an event. Events: ${eventNames.join(', ')}.`,
    );
    await expect(sandbox.fire('campaign.paid', {}, { access: 'nobody' })).rejects.toThrow(
      'Unknown access nobody. Known: full, second, limited.',
    );
  });
});

describe('user.registered', () => {
  it('adds the user, referred by the access', async () => {
    const { sandbox, read, second } = await listening();
    await sandbox.fire('user.registered', { email: 'new@example.com' }, { access: 'second' });
    const path = '/users/lookup?email=new@example.com';
    expect(await read(path, second.apiKey)).toMatchObject({
      data: { attribution: { referred: true } },
    });
    expect(await read(path)).not.toHaveProperty('data.attribution');
  });

  it('changes the user with the same email address, in any case, and adds no second one', async () => {
    const { sandbox } = await listening();
    const [known, ...others] = sandbox.users.list();
    await sandbox.fire('user.registered', { email: known?.email.toUpperCase() });
    expect(sandbox.users.list()).toEqual([
      { ...known, email: known?.email.toUpperCase() },
      ...others,
    ]);
  });

  it('takes over a user without a referrer, but not one that another access referred', async () => {
    const { sandbox, received } = await listening();
    const byReferrer = (id: string | null) =>
      sandbox.users.list().find(({ referredBy }) => referredBy === id);
    const theirs = byReferrer('second');
    for (const data of [{ email: theirs?.email.toUpperCase() }, { user_id: theirs?.user_id }]) {
      await expect(sandbox.fire('user.registered', data)).rejects.toThrow(
        `The user ${theirs?.user_id} was referred by another access.`,
      );
    }
    expect(byReferrer('second')).toEqual(theirs);
    expect(received()).toEqual([]);
    await sandbox.fire('user.registered', { email: theirs?.email }, { access: 'second' });
    const nobodys = byReferrer(null);
    await sandbox.fire('user.registered', { email: nobodys?.email });
    expect(sandbox.users.list()).toContainEqual({ ...nobodys, referredBy: 'full' });
  });
});

it('campaign.paid gives the user a booking', async () => {
  const { sandbox, read, received } = await listening();
  const user = sandbox.users.list().find((other) => !other.has_bookings);
  await sandbox.fire('campaign.paid', { user_id: user?.user_id });
  expect(received()).toMatchObject([{ user_id: user?.user_id }]);
  expect(await read(`/users/lookup?email=${user?.email}`)).toMatchObject({
    data: { has_bookings: true },
  });
});

describe('coupon.redeemed', () => {
  const withCoupon = async (access: 'full' | 'second') => {
    const service = await listening();
    const body = {
      discount_type: 'percent',
      discount_value: 5,
      lead_email: 'a@example.com',
      code: 'C',
    };
    await service.call('POST', '/coupons', { body, token: service[access].apiKey });
    return service;
  };

  it('redeems the coupon, whichever access owns it', async () => {
    const { sandbox, read, second, received } = await withCoupon('second');
    const [delivery] = await sandbox.fire('coupon.redeemed', { code: 'C' });
    expect(delivery?.accessId).toBe('second');
    expect(received()).toEqual([
      { code: 'C', lead_email: 'a@example.com', redeemed_at: '2027-03-01T09:00:00.000Z' },
    ]);
    expect(await read('/coupons/C', second.apiKey)).toMatchObject({ status: 'redeemed' });
  });

  it('cannot happen twice, nor for another access', async () => {
    const { sandbox } = await withCoupon('full');
    await expect(
      sandbox.fire('coupon.redeemed', { code: 'C' }, { access: 'second' }),
    ).rejects.toThrow('The coupon C belongs to another access.');
    await sandbox.coupons.redeem('C');
    await expect(sandbox.fire('coupon.redeemed', { code: 'C' })).rejects.toThrow(
      'The coupon C cannot be redeemed: it was already redeemed.',
    );
    await expect(sandbox.coupons.redeem('D')).rejects.toThrow('There is no coupon D.');
  });

  it('redeems the first active coupon of the access if none is named', async () => {
    const { sandbox, call, second, received } = await withCoupon('second');
    const body = { discount_type: 'percent', discount_value: 5 };
    for (const code of ['OLD', 'NEW']) {
      await call('POST', '/coupons', {
        body: { ...body, code, lead_email: `${code}@example.com` },
      });
    }
    await sandbox.fire('coupon.redeemed');
    await sandbox.fire('coupon.redeemed');
    await sandbox.fire('coupon.redeemed', {}, { access: second.id });
    expect(received()).toMatchObject([
      { code: 'OLD', lead_email: 'OLD@example.com' },
      { code: 'NEW', lead_email: 'NEW@example.com' },
      { code: 'C', lead_email: 'a@example.com' },
    ]);
    expect(sandbox.coupons.list().map(({ redemptions }) => redemptions)).toEqual([1, 1, 1]);
  });

  it("sends a sample if there is no coupon, unless the sample's code exists", async () => {
    const { sandbox, call, received } = await withCoupon('second');
    await sandbox.fire('coupon.redeemed');
    const { sample } = events['coupon.redeemed'];
    expect(received()).toEqual([{ ...sample, redeemed_at: '2027-03-01T09:00:00.000Z' }]);
    const fields = { code: sample.code, lead_email: sample.lead_email };
    const body = { discount_type: 'percent', discount_value: 5, ...fields };
    await call('POST', '/coupons', { body });
    await call('POST', `/coupons/${sample.code}/revoke`);
    await expect(sandbox.fire('coupon.redeemed')).rejects.toThrow(
      'The access full has no active coupon to redeem. Create one with POST /coupons first.',
    );
    expect(received()).toHaveLength(1);
  });

  it('rejects a code that no coupon has, from code and over HTTP', async () => {
    const { sandbox, admin } = await listening();
    const data = { code: 'NONE' };
    await expect(sandbox.fire('coupon.redeemed', data)).rejects.toThrow('There is no coupon NONE.');
    const fired = await admin('POST', '/events', { body: { type: 'coupon.redeemed', data } });
    expect(problemDetail(fired, 404)).toBe('There is no coupon NONE.');
    await expect(sandbox.fire('coupon.redeemed', { code: 5 })).rejects.toThrow('code: ');
  });
});

describe('campaign_request.created and .rejected', () => {
  it('a new request has no status, and is rejected later', async () => {
    const { sandbox, read, received } = await listening();
    await sandbox.fire('campaign_request.created', {
      industry: 'fitness',
      email: 'gym@example.com',
    });
    const id = received()[0]?.id;
    expect(await read(`/campaign-requests/${id}`)).toMatchObject({
      status: null,
      industry: 'fitness',
      email: 'gym@example.com',
    });
    await sandbox.clock.advance(60_000);
    await sandbox.fire('campaign_request.rejected', { id });
    expect(await read(`/campaign-requests/${id}`)).toMatchObject({
      status: 'rejected',
      industry: 'fitness',
      updated_at: '2027-03-01T09:01:00.000Z',
    });
  });

  it('a new one can be rejected at once, and is in the list', async () => {
    const { sandbox, read, received } = await listening();
    await sandbox.fire('campaign_request.rejected', { industry: 'events' });
    const { data } = await read<{ data: object[] }>('/campaign-requests?status=rejected');
    expect(data).toContainEqual(expect.objectContaining({ id: received()[0]?.id }));
  });

  it('belongs to the access whose request it is', async () => {
    const { sandbox } = await listening();
    const theirs = sandbox.campaignRequests.list().find(({ accessId }) => accessId === 'second');
    const [delivery] = await sandbox.fire('campaign_request.rejected', { id: theirs?.id });
    expect(delivery?.accessId).toBe('second');
    await expect(
      sandbox.fire('campaign_request.rejected', { id: theirs?.id }, { access: 'full' }),
    ).rejects.toThrow(`The campaign request ${theirs?.id} is of another access.`);
  });
});
