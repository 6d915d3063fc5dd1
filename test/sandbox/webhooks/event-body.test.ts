import { describe, expect, it } from '@jest/globals';
import { parseEvent, verifySignature } from '@screen-advertising/core';
import type { Variants } from '@screen-advertising/core/contract';
import { startReceiver } from '../support/receiver.ts';
import { start } from '../support/running-sandbox.ts';

/** Fires a rejected campaign request and returns the body that arrives. */
async function bodyWith(variants: Partial<Variants>): Promise<Record<string, unknown>> {
  const { sandbox } = await start({ variants });
  const receiver = await startReceiver();
  sandbox.webhooks.add({ url: receiver.url });
  await sandbox.fire('campaign_request.rejected', { id: 'cr_0001' });
  return JSON.parse(receiver.arrivals[0]?.body ?? '');
}

describe('the body of a delivery', () => {
  it('has id, type, created_at and data by default', async () => {
    expect(await bodyWith({})).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'campaign_request.rejected',
      created_at: '2027-03-01T09:00:00.000Z',
      data: {
        id: 'cr_0001',
        status: 'rejected',
        industry: expect.any(String),
        email: 'lead@example.com',
        rejected_at: '2027-03-01T09:00:00.000Z',
      },
    });
  });

  it.each(['event', 'event_type', 'event_name', 'topic'] as const)(
    'names the event under "%s"',
    async (eventName) => {
      const body = await bodyWith({ eventName });
      expect(body).toMatchObject({ [eventName]: 'campaign_request.rejected' });
      expect(body).not.toHaveProperty('type');
    },
  );

  it.each(['event_id', 'delivery_id'] as const)('has its ID under "%s"', async (eventId) => {
    const body = await bodyWith({ eventId });
    expect(body[eventId]).toMatch(/^evt_/);
    expect(body).not.toHaveProperty('id');
  });

  it('has the fields of the event under "payload"', async () => {
    const body = await bodyWith({ eventData: 'payload' });
    expect(body).toMatchObject({ payload: { id: 'cr_0001', status: 'rejected' } });
    expect(body).not.toHaveProperty('data');
  });

  it('has no ID', async () => {
    expect(Object.keys(await bodyWith({ eventId: 'absent' }))).toEqual([
      'type',
      'created_at',
      'data',
    ]);
  });

  it("has the record's fields next to the event name; the record keeps its own ID", async () => {
    expect(await bodyWith({ eventData: 'flat' })).toMatchObject({
      type: 'campaign_request.rejected',
      id: 'cr_0001',
      status: 'rejected',
    });
  });
});

it('a field of the record does not hide the event name', async () => {
  const { sandbox } = await start({ variants: { eventData: 'flat' } });
  const receiver = await startReceiver();
  sandbox.webhooks.add({ url: receiver.url });
  await sandbox.fire('campaign.paid', { type: 'led', city: 'Berlin' });
  const body = JSON.parse(receiver.arrivals[0]?.body ?? '');
  expect(body).toMatchObject({ type: 'campaign.paid', city: 'Berlin' });
});

describe('the time in the signature', () => {
  const signatures = async (variants: Partial<Variants>) => {
    const { sandbox, full } = await start({ variants });
    const receiver = await startReceiver([500]);
    sandbox.webhooks.add({ url: receiver.url });
    await sandbox.fire('campaign.paid');
    await sandbox.clock.advance(1000);
    return receiver.arrivals.map(({ headers, body }) => {
      const signature = String(headers['x-service-signature']);
      verifySignature({
        body,
        signature,
        secrets: [full.signingSecret],
        now: sandbox.clock.now.bind(sandbox.clock),
      });
      expect(parseEvent(body).type).toBe('campaign.paid');
      return Number(/^t=(\d+),/.exec(signature)?.[1]) * 1000 - Date.parse('2027-03-01T09:00:00Z');
    });
  };

  it('stays that of the first attempt', async () => {
    expect(await signatures({ signatureTimestamp: 'first-attempt' })).toEqual([0, 0]);
  });

  it('is that of each attempt', async () => {
    expect(await signatures({ signatureTimestamp: 'each-attempt' })).toEqual([0, 1000]);
  });
});
