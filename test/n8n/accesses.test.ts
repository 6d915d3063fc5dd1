import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { credentialsOf, Engine } from './engine.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const ofTokens = 'screenAdvertisingClientCredentialsApi';
const accessOf = (id: string) => credentialsOf(world.sandbox, world.baseUrl, id);
const coupon = (authentication: string) => ({
  authentication,
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: '={{ $json.lead }}',
});
const tokenRequests = () =>
  world.sandbox.journal.list().filter(({ operation }) => operation === 'token').length;
/** The lead of each coupon, with the access that it was created under. */
const created = () =>
  world.sandbox.journal
    .list()
    .filter(({ method, path, status }) => `${method} ${path} ${status}` === 'POST /coupons 201')
    .map(({ requestBody, access }) => [JSON.parse(requestBody ?? '').lead_email, access]);

it.each([
  ['client ID and secret', ['clientId', 'clientSecret']],
  ['secret', ['clientSecret']],
])(
  'after the %s of a credential are edited, no request has its old token',
  async (_what, edited) => {
    const engine = await Engine.start(accessOf('first'));
    const run = (lead: string) =>
      engine.runNode(
        { type: 'screenAdvertising', parameters: coupon('clientCredentials') },
        { items: [{ lead }] },
      );
    expect((await run('one@example.com')).error).toBeUndefined();
    const other = accessOf('second')[ofTokens] ?? {};
    // What n8n stores after an edit: the hidden token stays.
    for (const name of edited) {
      Object.assign(engine.credentials[ofTokens] ?? {}, { [name]: other[name] });
    }
    const { error } = await run('two@example.com');
    // The secret of another access is wrong for this client ID.
    const isWhole = edited.includes('clientId');
    expect(error?.message).toBe(
      isWhole ? undefined : 'The credential "Screen Advertising account" does not work',
    );
    const [first, second] = [world.sandbox.accesses[0].id, 'second'];
    const both = [
      ['one@example.com', first],
      ['two@example.com', second],
    ];
    expect(created()).toEqual(isWhole ? both : both.slice(0, 1));
    expect(tokenRequests()).toBe(2);
  },
);

it('after the base URL of a credential is edited, its old token goes to no other service', async () => {
  const engine = await Engine.start(accessOf('first'));
  const elsewhere = await startWorld();
  const run = () =>
    engine.runNode(
      { type: 'screenAdvertising', parameters: coupon('clientCredentials') },
      { items: [{ lead: 'one@example.com' }] },
    );
  await run();
  const { accessToken } = engine.credentials[ofTokens] ?? {};
  const [, token = ''] = String(accessToken).split(' ');
  expect(token).not.toBe('');
  Object.assign(engine.credentials[ofTokens] ?? {}, { baseUrl: elsewhere.baseUrl });
  expect((await run()).error).toBeUndefined();
  expect(JSON.stringify(elsewhere.sandbox.journal.list())).not.toContain(token);
  expect(elsewhere.sandbox.journal.list().map(({ path }) => path)).toEqual([
    '/oauth/token',
    '/coupons',
  ]);
  await elsewhere.stop();
});

it.each(['apiKey', 'clientCredentials'])(
  'a credential of expressions is the access of each item, with %s',
  async (authentication) => {
    const fields = authentication === 'apiKey' ? ['apiKey'] : ['clientId', 'clientSecret'];
    const type = authentication === 'apiKey' ? 'screenAdvertisingApi' : ofTokens;
    const [one, other] = [accessOf('first')[type] ?? {}, accessOf('second')[type] ?? {}];
    // Items are in n8n's execution record, where no secret belongs.
    const expressions = fields.map((name) => [
      name,
      `={{ ${JSON.stringify([one[name], other[name]])}[$json.tenant] }}`,
    ]);
    const engine = await Engine.start({ [type]: { ...one, ...Object.fromEntries(expressions) } });
    const items = [0, 1, 0, 1].map((tenant, index) => ({ tenant, lead: `${index}@example.com` }));
    const run = () =>
      engine.runNode(
        { type: 'screenAdvertising', parameters: coupon(authentication) },
        { items: items.map((item) => ({ ...item, lead: `${created().length}-${item.lead}` })) },
      );
    for (const _time of [1, 2]) expect((await run()).error).toBeUndefined();
    const [first, second] = [world.sandbox.accesses[0].id, 'second'];
    expect(created().map(([, access]) => access)).toEqual([
      ...[first, second, first, second],
      ...[first, second, first, second],
    ]);
    // A stored token that is another access's costs no request: this process has this one's.
    expect(tokenRequests()).toBe(authentication === 'apiKey' ? 0 : 2);
    expect(engine.credentials[type]).toMatchObject(Object.fromEntries(expressions));
  },
);

it('a field of a credential may be a number or have white space around it', async () => {
  const { [ofTokens]: access = {} } = accessOf('first');
  const engine = await Engine.start({
    [ofTokens]: {
      ...access,
      baseUrl: `={{ " ${String(access.baseUrl)}\\n" }}`,
      clientSecret: `={{ " ${String(access.clientSecret)} " }}`,
    },
  });
  const { error } = await engine.runNode(
    { type: 'screenAdvertising', parameters: coupon('clientCredentials') },
    { items: [{ lead: 'one@example.com' }] },
  );
  expect(error).toBeUndefined();
});
