import { describe, expect, it } from '@jest/globals';
import { useService } from './app/use-service.ts';
import { credentialKinds, readZapierError, type ZapierRunner } from './app/zapier.ts';

const service = useService();

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const coded = { ...coupon, code: 'SPRING-25' };

const create = (zapier: ZapierRunner, key: string, input: Record<string, unknown>) =>
  zapier.create(key, input).catch(readZapierError);

describe.each(credentialKinds)('with %s', (kind) => {
  it('Create Coupon returns the new coupon with every field that was filled in, and Revoke Coupon ends it', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_coupon', {
      ...coded,
      max_redemptions: '3',
      valid_until: '2027-03-31',
      lead_metadata: '{"crm_id":"42","tags":["a"]}',
    });
    expect(record).toMatchObject({
      ...coded,
      status: 'active',
      max_redemptions: 3,
      valid_until: '2027-03-31',
      lead_metadata: { crm_id: '42', tags: ['a'] },
    });
    const revoked = await zapier.create('revoke_coupon', { code: 'SPRING-25' });
    expect(revoked).toMatchObject({ code: 'SPRING-25', status: 'revoked' });
  });

  it('Create Landing Link sends the fields that a person named, except empty ones', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_landing_link', {
      utm_campaign: ' spring ',
      utm_source: '',
      fields: { utm_term: 'screens', utm_content: '' },
    });
    const { searchParams } = new URL(String(record.url));
    expect(searchParams.get('utm_campaign')).toBe('spring');
    expect(searchParams.get('utm_term')).toBe('screens');
    expect(searchParams.get('utm_medium')).toBe('partner_api');
    expect(searchParams.has('utm_content')).toBe(false);
  });
});

it.each([
  [
    'create_coupon',
    { ...coupon, discount_value: '' },
    'Create Coupon was not sent: Discount Value is required: fill it in, or check the step it is mapped from.',
  ],
  [
    'create_landing_link',
    {},
    'Create Landing Link was not sent: at least one of these must be filled in: UTM Campaign, UTM Source, UTM Content, UTM Term, UTM Source Platform, Other Fields. A field mapped from an earlier step may have been empty.',
  ],
  [
    'create_landing_link',
    { utm_campaign: 'spring', fields: { utm_campaign: 'summer' } },
    'Create Landing Link was not sent: Other Fields → utm_campaign must be empty, because its own field is filled in.',
  ],
  [
    'create_landing_link',
    { utm_campaign: 'spring', fields: { utm_medium: 'email' } },
    'Create Landing Link was not sent: utm_medium must be partner_api, which the service always sets, not "email".',
  ],
  [
    'create_landing_link',
    { qr_code: 'gif', qr_code_size: 'big', fields: 'spring' },
    'Create Landing Link was not sent: Other Fields must be pairs of a name and a value; QR Code must be one of PNG, SVG, not "gif"; QR Code Size must be a whole number such as 25, without units, spaces, or separators, not "big".',
  ],
])('%s says what is wrong with %j, and sends nothing', async (key, input, message) => {
  const zapier = await service().connect();
  service().sandbox.journal.clear();
  const error = await create(zapier, key, input);
  expect(error).toEqual({ name: 'AppError', code: 'invalid_input', message });
  expect(service().calls()).toEqual([]);
});

describe('Create Coupon that is run again', () => {
  it('leaves the code to the service where a person says so', async () => {
    const zapier = await service().connect();
    const record = await zapier.create('create_coupon', { ...coupon, without_code: 'service' });
    expect(record.code).toMatch(/^BVCC-/);
  });

  it('finds its own coupon by its code, and says when that belongs to another', async () => {
    const zapier = await service().connect();
    const owned = { ...coded, if_code_exists: 'return' };
    const first = await zapier.create('create_coupon', owned);
    const again = await zapier.create('create_coupon', owned);
    expect(again).toMatchObject({ code: first.code, created: false });
    const other = { ...owned, lead_email: 'other@example.com' };
    expect(await create(zapier, 'create_coupon', other)).toMatchObject({
      message: expect.stringMatching(
        /^Create Coupon created nothing: the code SPRING-25 exists\. The service says: .* Choose another code: the coupon that has it is over, or of another lead or discount\.$/,
      ),
    });
  });

  it('takes either a code or a prefix', async () => {
    const zapier = await service().connect();
    expect(await create(zapier, 'create_coupon', { ...coded, code_prefix: 'WELCOME-' })).toEqual({
      name: 'AppError',
      code: 'invalid_input',
      message: 'Create Coupon was not sent: Code Prefix cannot be set beside Code.',
    });
  });
});
