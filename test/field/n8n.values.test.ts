import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useWorld, type World } from '../n8n/world.ts';

const world = useWorld({ clock: 'frozen', startAt: '2027-01-01T09:00:00Z' });
beforeEach(() => {
  world.sandbox.reset();
  world.sandbox.journal.clear();
});

const authentication = 'apiKey';
const requests = { authentication, resource: 'campaignRequest', operation: 'getAll' };
const create = { authentication, resource: 'coupon', operation: 'create', discount_value: 5 };
const items = (...jsons: IDataObject[]) => jsons;
const sent = () => world.sandbox.journal.list().filter(({ path }) => !path.endsWith('/token'));

type OnError = 'continueRegularOutput' | 'continueErrorOutput';
type Options = Parameters<World['run']>[1] & { onError?: OnError | undefined };

async function run(parameters: INodeParameters, { onError, ...options }: Options) {
  const node = { type: 'screenAdvertising', parameters, ...(onError && { onError }) };
  return await world.engine.runNode(node, options);
}

/** What n8n shows of a run: its items, or its error. */
async function outcome(parameters: INodeParameters, options: Options = {}) {
  const result = await run(parameters, options);
  if (result.error) {
    const { message, description } = result.error as Error & { description?: string };
    return { message, description };
  }
  return result.output('Screen Advertising').map(({ json }) => json);
}

const cameOutEmpty = (label: string) =>
  `'${label}' came out empty: correct what fills it, or set 'When a Condition Is Empty' to 'Leave It Out'`;

describe('a condition whose expression comes out empty', () => {
  it.each([undefined, null, '', '  ', '\u200b'])('fails, and sends nothing: %j', async (given) => {
    const parameters = { ...requests, filters: { industry: '={{ $json.industry }}' } };
    const input = items({ industry: given });
    expect(await outcome(parameters, { items: input })).toMatchObject({
      message: expect.stringContaining(cameOutEmpty('Industry')),
    });
    expect(sent()).toEqual([]);
  });

  it.each([
    ['leave_out', 1],
    ['find_nothing', 0],
  ])('does what the user of the editor chose: %s', async (whenEmpty, count) => {
    const filters = { industry: '={{ $json.typo }}' };
    await outcome({ ...requests, filters, options: { whenEmpty } }, { items: items({}) });
    expect(sent()).toHaveLength(count);
  });

  it('is not one that was typed empty', async () => {
    await outcome({ ...requests, filters: { industry: '' } });
    expect(sent()).toHaveLength(1);
  });

  it('is Valid Until, without which the coupon would have no end', async () => {
    const parameters = {
      ...create,
      lead_email: 'lead@example.com',
      additionalFields: { valid_until: '={{ $json.typo }}' },
    };
    expect(await outcome(parameters, { items: items({}) })).toMatchObject({
      message: expect.stringContaining(
        "'Valid Until' came out empty: correct what fills it, or set 'When Valid Until Is Empty' to 'No End'",
      ),
    });
    expect(sent()).toEqual([]);
  });
});

describe('many items', () => {
  const leads = (bad: string) =>
    items(
      ...Array.from({ length: 40 }, (_none, index) => ({
        lead: index === 20 ? bad : `lead${index}@example.com`,
      })),
    );
  const each = { ...create, lead_email: '={{ $json.lead }}' };
  const posts = () => sent().filter(({ method }) => method === 'POST').length;

  it('change nothing if one of 40 cannot be read', async () => {
    expect(await outcome(each, { items: leads('unreadable') })).toMatchObject({
      message: expect.stringContaining(
        `'Lead Email' must be an email address such as lead@example.com, not "unreadable"`,
      ),
      description: expect.stringContaining('Nothing was sent.'),
    });
    expect(posts()).toBe(0);
  });

  const withCode = {
    ...each,
    additionalFields: { code: '={{ $itemIndex === 20 ? "TAKEN" : "C" + $itemIndex }}' },
  };
  const othersTaken = () =>
    outcome({ ...create, lead_email: 'taken@example.com', additionalFields: { code: 'TAKEN' } });

  describe.each<[OnError, errors: number, at: number]>([
    ['continueRegularOutput', 0, 20],
    ['continueErrorOutput', 1, 0],
  ])('of which one fails, under On Error: %s', (onError, errors, at) => {
    it.each([
      ['cannot be read', 'unreadable', 39, "'Lead Email' must be an email address"],
      ['is refused by the service', 'taken@example.com', 40, 'TAKEN'],
    ])('output the codes of the others, if one of 40 %s', async (_what, bad, sends, error) => {
      await othersTaken();
      world.sandbox.journal.clear();
      const { output } = await run(withCode, { items: leads(bad), onError });
      expect(posts()).toBe(sends);
      const [regular, failed] = [0, 1].map((nth) => output('Screen Advertising', nth));
      const codes = regular?.map(({ json }) => json.code).filter(Boolean);
      expect(codes).toHaveLength(39);
      expect([codes?.[0], codes?.[19], codes?.[20], codes?.at(-1)]).toEqual([
        ...['C0', 'C19', 'C21', 'C39'],
      ]);
      expect([regular, failed][errors]?.[at]?.json.error).toContain(error);
    });
  });

  it('are all listed, if several cannot be read', async () => {
    const input = items({ lead: 'a@example.com' }, { lead: 'bad' }, { lead: '' });
    expect(await outcome(each, { items: input })).toMatchObject({
      message: expect.stringContaining('2 of 3 items cannot be used'),
      description: expect.stringMatching(/Item 1: 'Lead Email' must be .* Item 2: 'Lead Email'/),
    });
    expect(posts()).toBe(0);
  });

  it('say which coupons exist, if the service refuses a later one', async () => {
    await othersTaken();
    const input = leads('taken@example.com');
    const { description } = (await outcome(withCode, { items: input })) as { description: string };
    expect(posts()).toBe(22);
    expect(description).toContain('20 of 40 items were done before, and stay so.');
    expect(description).toContain('0: C0, 1: C1, 2: C2');
    expect(description).toContain('19: C19.');
  });
});

describe('settings that cannot be used', () => {
  it.each([{ timeout: "={{ 'abc' }}" }, { concurrency: 0 }])(
    'fail each item under On Error: Continue: %j',
    async (options) => {
      const output = await outcome(
        { ...requests, options },
        { items: items({ a: 1 }, { a: 2 }), onError: 'continueRegularOutput' },
      );
      expect(output).toEqual([
        { error: expect.stringContaining('must be'), details: expect.anything() },
        { error: expect.stringContaining('must be'), details: expect.anything() },
      ]);
      expect(sent()).toEqual([]);
    },
  );
});

describe('toggles and numbers of the node', () => {
  const all = 24;
  const noToggle = "'Return All' must be true or false, not ";
  const noNumber = "'Limit' must be a whole number, 1 or more, not ";

  it.each<[setting: string, outcome: unknown, values: unknown[]]>([
    ['returnAll', all, [true, 'true', 'YES', 'on', 1, '1.0', [true]]],
    ['returnAll', 2, [false, 'false', 'no', 0, '0', null, '']],
    ['returnAll', `${noToggle}"maybe"`, ['maybe']],
    ['returnAll', `${noToggle}2`, [2]],
    ['limit', 3, [3, '3', ' 3 ', [3]]],
    ['limit', all, [null, '']],
    ['limit', `${noNumber}0`, [0]],
    ['limit', `${noNumber}2.5`, [2.5]],
    ['limit', `${noNumber}"three"`, ['three']],
    ['limit', `${noNumber}true`, [true]],
  ])('%s means %j, computed as one of %j', async (name, expected, values) => {
    const others = name === 'limit' ? {} : { limit: 2 };
    for (const value of values) {
      const computed = `={{ ${JSON.stringify(value)} }}`;
      const seen = await outcome({ ...requests, ...others, [name]: computed });
      const told = Array.isArray(seen) ? seen.length : seen.message;
      expect([value, told]).toEqual([value, expected]);
    }
  });
});

describe('names and values', () => {
  const link = { authentication, resource: 'landingLink', operation: 'create' };
  const fields = (...field: object[]) => ({ ...link, fields: { field } }) as INodeParameters;
  const body = () => JSON.parse(sent().at(-1)?.requestBody ?? '{}') as unknown;

  it('leave out what is empty, and keep the digits of JSON', async () => {
    await outcome(
      fields(
        { name: 'utm_campaign', value: 'spring' },
        { name: 'utm_term', value: '={{ $json.typo }}' },
        { name: 'utm_id', value: ' ' },
      ),
      { items: items({}) },
    );
    expect(body()).toEqual({ utm_campaign: 'spring' });
    await outcome({
      ...link,
      specifyFields: 'json',
      fieldsJson: '{"utm_id": 7615917337495251231}',
    });
    expect(body()).toEqual({ utm_id: '7615917337495251231' });
  });

  it('are refused where a text would hold an object', async () => {
    const parameters = fields({ name: 'utm_campaign', value: '={{ { a: 1 } }}' });
    expect(await outcome(parameters, { items: items({}) })).toMatchObject({
      message: expect.stringContaining("'utm_campaign' must be text, not an object"),
    });
  });

  it('leave out a row of metadata that came out empty', async () => {
    const lead_metadata = {
      field: [
        { name: 'crm_id', value: '={{ 42 }}' },
        { name: 'source', value: '={{ $json.missing }}' },
      ],
    };
    await outcome(
      { ...create, lead_email: 'm@example.com', additionalFields: { lead_metadata } },
      { items: items({}) },
    );
    expect(body()).toMatchObject({ lead_metadata: { crm_id: 42 } });
  });
});
