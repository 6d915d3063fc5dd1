import { describe, expect, it } from '@jest/globals';
import { type EventName, events } from '@screen-advertising/core';
import { startReceiver } from '../support/receiver.ts';
import { type Running, start } from '../support/running-sandbox.ts';

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
  it.each(Object.keys(events) as EventName[])(
    '%s carries at least the fields of its sample, and what is added',
    async (name) => {
      const { sandbox, received } = await listening();
      await sandbox.fire(name, { note: 'added' });
      const [data = {}] = received();
      expect(Object.keys(data)).toEqual(
        expect.arrayContaining([...Object.keys(events[name].sample), 'note']),
      );
    },
  );

  it('refuses a name that is none, and an access that is none', async () => {
    const { sandbox } = await start();
    await expect(sandbox.fire('coupon.eaten' as EventName)).rejects.toThrow(
      'type coupon.eaten is no event; there are user.registered, campaign.paid,',
    );
    await expect(sandbox.fire('campaign.paid', {}, { access: 'nobody' })).rejects.toThrow(
      'access nobody is not known; there are full, second, limited.',
    );
  });
});

describe('user.registered', () => {
  it('adds the user, referred by the access', async () => {
    const { sandbox, read, second } = await listening();
    await sandbox.fire('user.registered', { email: 'new@example.com' }, { access: 'second' });
    const path = '/users/lookup?email=new@example.com';
    expect(await read(path, second.apiKey)).toMatchObject({
      data: { exists: true, attribution: { referred: true } },
    });
    expect(await read(path)).not.toHaveProperty('data.attribution');
  });
});

describe('campaign.paid', () => {
  it('gives the user a booking', async () => {
    const { sandbox, read, received } = await listening();
    const user = sandbox.users.list().find((other) => !other.has_bookings);
    await sandbox.fire('campaign.paid', { user_id: user?.user_id });
    expect(received()).toMatchObject([{ user_id: user?.user_id }]);
    expect(await read(`/users/lookup?email=${user?.email}`)).toMatchObject({
      data: { has_bookings: true },
    });
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

  it('redeems the coupon, whichever access it is of', async () => {
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
});

describe('campaign_request.created and .rejected', () => {
  it('a request comes in without a status, and is rejected later', async () => {
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

  it('is of the access whose request it is', async () => {
    const { sandbox } = await listening();
    const theirs = sandbox.campaignRequests.list().find(({ accessId }) => accessId === 'second');
    const [delivery] = await sandbox.fire('campaign_request.rejected', { id: theirs?.id });
    expect(delivery?.accessId).toBe('second');
    await expect(
      sandbox.fire('campaign_request.rejected', { id: theirs?.id }, { access: 'full' }),
    ).rejects.toThrow(`The campaign request ${theirs?.id} is of another access.`);
  });
});
