import { describe, expect, it } from '@jest/globals';
import { anywhere } from '../app/actions.ts';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

describe.each(credentialKinds)('searches for one record with %s', (kind) => {
  it('Find Screen Availability returns the share of ad time between two days', async () => {
    const zapier = await service().connect({ kind });
    const [screen] = await zapier.search('find_screen', anywhere);
    const found = await zapier.search('get_screen_availability', {
      screenId: screen?.id,
      from: '2027-03-01T00:00:00+01:00',
      to: '2027-03-31',
    });
    expect(found).toEqual([
      expect.objectContaining({ screen_id: screen?.id, from: '2027-03-01', to: '2027-03-31' }),
    ]);
  });

  it('Find Coupon returns the coupon with a code', async () => {
    const zapier = await service().connect({ kind });
    const coupon = await zapier.create('create_coupon', {
      discount_type: 'free_days',
      discount_value: 2,
      lead_email: 'lead@example.com',
    });
    expect(await zapier.search('find_coupon', { code: coupon.code })).toEqual([coupon]);
  });

  it('Find User returns a user', async () => {
    const zapier = await service().connect({ kind });
    const [[, user] = []] = service().sandbox.snapshot().data.users;
    const found = await zapier.search('find_user', { email: user?.email });
    expect(found).toEqual([expect.objectContaining({ exists: true, user_id: user?.user_id })]);
  });

  it('Find Campaign Request returns one by its ID', async () => {
    const zapier = await service().connect({ kind });
    const [any] = await zapier.search('find_campaign_request', { status: 'rejected' });
    expect(await zapier.search('find_campaign_request', { id: any?.id })).toEqual([any]);
  });
});

describe('a search for a record that does not exist returns no record', () => {
  it.each([
    ['get_screen_availability', { screenId: 'scr_none', from: '2027-03-01', to: '2027-03-31' }],
    ['find_coupon', { code: 'NONE' }],
    ['find_user', { email: 'nobody@example.com' }],
    ['find_user', { vat_uid: 'XX000' }],
    ['find_campaign_request', { id: 'cr_none' }],
  ])('%s %j', async (key, inputData) => {
    const zapier = await service().connect();
    expect(await zapier.search(key, inputData)).toEqual([]);
  });
});

describe('a 404 that does not come from the service is an error', () => {
  it.each([
    ['find_coupon', { code: 'ANY' }, 'Find Coupon'],
    ['find_campaign_request', { id: 'any' }, 'Find Campaign Request'],
  ])('%s', async (key, inputData, label) => {
    const zapier = await service().connect();
    service().sandbox.faults.add({
      fault: 'status',
      status: 404,
      body: '<h1>Not here</h1>',
      contentType: 'text/html',
    });
    expect(await zapier.search(key, inputData).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      status: 404,
      message: `${label} reached something other than the service (404). Check the base URL of the connection.`,
    });
  });
});

describe('Find User', () => {
  it.each([
    ['neither', {}],
    ['both', { email: 'lead@example.com', vat_uid: 'DE123456789' }],
  ])('asks for one of email address and VAT ID when %s is filled in', async (_what, input) => {
    const zapier = await service().connect();
    expect(await zapier.search('find_user', input).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message: 'Find User was not sent: Email or VAT Number must be set, but not both.',
    });
  });
});

describe('Find Campaign Request', () => {
  it('filters by status and industry', async () => {
    const zapier = await service().connect();
    const found = await zapier.search('find_campaign_request', {
      status: 'rejected',
      industry: 'retail',
    });
    expect(found.map(({ status, industry }) => `${status} ${industry}`)).toEqual(
      found.map(() => 'rejected retail'),
    );
    const none = await zapier.search('find_campaign_request', { industry: 'none' });
    expect(none).toEqual([]);
  });
});
