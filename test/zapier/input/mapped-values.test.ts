import { describe, expect, it } from '@jest/globals';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = useService();

async function errorOf(place: string, inputData: Fields, inputDataRaw: Fields = inputData) {
  const zapier = await service().connect();
  service().sandbox.journal.clear();
  const error = await zapier
    .run(`${place}.operation.perform`, { inputData, inputDataRaw })
    .catch(readZapierError);
  expect(service().calls()).toEqual([]);
  return error;
}

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const todo = 'which nothing filled in: choose a field of an earlier step, or write the value';

describe('a placeholder that nothing filled in', () => {
  it.each([
    ['searches.find_screen', { city: '{{contact.city}}' }, 'Find Screen', 'City'],
    ['searches.find_screen', { name: 'a {{contact.city}}' }, 'Find Screen', 'Name'],
    ['searches.find_coupon', { code: 'A-{{contact.city}}' }, 'Find Coupon', 'Code'],
    ['searches.find_user', { email: '{{contact.city}}' }, 'Find User', 'Email'],
    ['triggers.new_screen', { city: '{{contact.city}}' }, 'New Screen', 'City'],
    ['creates.create_coupon', { ...coupon, code: '{{contact.city}}' }, 'Create Coupon', 'Code'],
    [
      'creates.create_coupon',
      { ...coupon, lead_metadata: { city: 'From {{contact.city}}' } },
      'Create Coupon',
      'Lead Metadata',
    ],
    [
      'creates.create_coupon',
      { ...coupon, lead_metadata: { '{{contact.city}}': 'Berlin' } },
      'Create Coupon',
      'Lead Metadata',
    ],
    [
      'creates.create_coupon',
      { ...coupon, lead_metadata_json: '{"city":["{{contact.city}}"]}' },
      'Create Coupon',
      'Lead Metadata (JSON)',
    ],
    [
      'creates.create_landing_link',
      { utm_source: '{{contact.city}}' },
      'Create Landing Link',
      'UTM Source',
    ],
    [
      'creates.create_landing_link',
      { fields: { city: '{{contact.city}}' } },
      'Create Landing Link',
      'Other Fields',
    ],
  ])('is refused in %s %j, with the label of the field', async (place, input, step, label) => {
    expect(await errorOf(place, input)).toEqual({
      name: 'AppError',
      code: 'invalid_input',
      message: `${step} was not sent: ${label} still has the placeholder {{contact.city}}, ${todo}.`,
    });
  });

  it('is refused in the form that Zapier itself refuses, without the body', async () => {
    const input = { ...coupon, lead_metadata: { note: '{{ bundle.authData.api_key }}' } };
    expect(await errorOf('creates.create_coupon', input)).toMatchObject({
      message: `Create Coupon was not sent: Lead Metadata still has the placeholder {{ bundle.authData.api_key }}, ${todo}.`,
    });
  });
});

describe('line items in a field for a number', () => {
  const mapped = { ...coupon, discount_value: '{{42__line_items[]price}}' };

  it.each(['5,10', '5, 10', '5,10,15', '5.5,10'])('are refused: %s', async (discount_value) => {
    const error = await errorOf('creates.create_coupon', { ...coupon, discount_value }, mapped);
    expect(error).toMatchObject({
      code: 'invalid_input',
      message: `Create Coupon was not sent: Discount Value must be one number with a decimal point, such as 5.10, not "${discount_value}": line items arrive with a comma between them.`,
    });
  });

  it('differ from a decimal comma that a person typed', async () => {
    const zapier = await service().connect();
    const inputData = { ...coupon, discount_value: '5,10' };
    const place = 'creates.create_coupon.operation.perform';
    const record = await zapier.run(place, { inputData, inputDataRaw: inputData });
    expect(record).toMatchObject({ discount_value: 5.1 });
  });
});
