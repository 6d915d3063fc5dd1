import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { EventName } from '@screen-advertising/core';
import { createSandbox } from '@screen-advertising/sandbox';
import type { IDataObject } from 'n8n-workflow';
import { openRelayWorld } from '../relay/open-relay.ts';
import { Executions, outputOf } from '../support/executions.ts';
import type { WorkflowNode } from '../support/n8n-api.ts';
import { installing, openWorld, type World } from '../support/open-world.ts';
import { readExample, webhookTrigger, webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';

const email = 'new.lead@example.com';
const dayMs = 24 * 60 * 60 * 1000;

describe('a recipe on a real n8n', { timeout: 1_200_000 }, () => {
  let world: World;

  before(async () => {
    world = await openWorld();
  }, installing);

  beforeEach(() => world.sandbox.reset());

  after(() => world?.close());

  /**
   * A recipe as a person imports it, published if an event starts it. Of each run, this gives what the
   * last step passes to the email program, chat or spreadsheet, or the error that ended it.
   */
  async function open(
    recipe: string,
    credentials = world.credentials,
    change = (node: WorkflowNode): WorkflowNode => node,
  ) {
    const { api, sandbox } = world;
    const { nodes, ...example } = await readExample(recipe, credentials);
    const workflow = await api.createWorkflow({ ...example, nodes: nodes.map(change) });
    const executions = new Executions(api, workflow);
    const url = webhookTrigger(workflow) && webhookUrl(api.url, workflow);
    if (url !== undefined) {
      await api.publish(workflow, url);
      sandbox.webhooks.add({ url });
    }

    async function runs(count: number, begin: () => Promise<unknown>) {
      await begin();
      return (await executions.next(count)).map((one) => {
        const { error } = one.data?.resultData ?? {};
        return error ? error.message : [...outputOf(one, 'Row'), ...outputOf(one, 'Message')];
      });
    }
    return {
      url: url ?? '',
      runs,
      happens: async (event: EventName, data: object) =>
        (await runs(1, () => sandbox.fire(event, { ...data })))[0],
      starts: async (trigger: string) => (await runs(1, () => api.run(workflow, trigger)))[0],
    };
  }

  async function giveCoupon(code: string, fields: object = {}): Promise<void> {
    const [{ apiKey }] = world.sandbox.accesses;
    const coupon = { code, discount_type: 'percent', discount_value: 25, lead_email: email };
    const { status } = await world.sandbox.fetch('http://127.0.0.1/api/v1/coupons', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...coupon, ...fields }),
    });
    assert.equal(status, 201);
  }

  const codes = () => world.sandbox.coupons.list().map(({ code }) => code);

  function removeScreensOfBerlin(): void {
    for (const { id, city } of world.sandbox.screens.list()) {
      if (city === 'Berlin') world.sandbox.screens.remove(id);
    }
  }

  describe('redeemed-coupon-to-spreadsheet', () => {
    const code = 'SPRING-25';

    it('a coupon that is redeemed becomes a row', async () => {
      const { happens } = await open('redeemed-coupon-to-spreadsheet');
      await giveCoupon(code);
      const [row = {}, ...others] = (await happens('coupon.redeemed', { code })) ?? [];
      const { 'Event ID': id, 'Redeemed At': at, ...rest } = row as IDataObject;
      assert.match(`${id} ${at}`, /^evt_\S+ \d{4}-\d{2}-\d{2}T/);
      assert.deepEqual(rest, {
        Code: code,
        'Lead Email': email,
        'Discount Type': 'percent',
        'Discount Value': '25',
        Note: '',
      });
      assert.deepEqual(others, []);
    });

    it('a coupon that the service does not know becomes rows without its discount, one for each event without an ID', async (t) => {
      const { url, runs } = await open('redeemed-coupon-to-spreadsheet');
      const other = createSandbox({ variants: { eventId: 'absent' } });
      t.after(() => other.close());
      other.webhooks.add({ url });
      const redeem = () => runs(1, () => other.fire('coupon.redeemed'));
      const first = await redeem();
      await other.clock.advance(60_000);
      const rows = [...first, ...(await redeem())].flat() as IDataObject[];
      assert.deepEqual(
        rows.map((row) => [row['Discount Type'], row['Discount Value']]),
        [
          ['', ''],
          ['', ''],
        ],
      );
      assert.equal(new Set(rows.map((row) => row['Event ID'])).size, 2);
    });
  });

  describe('screens-near-new-lead', () => {
    const request = { id: 'cr_0900', email, city: 'Berlin' };

    it('a lead gets the screens near their city and a link by email, nearest first', async () => {
      const { happens } = await open('screens-near-new-lead');
      const here = { city: 'Berlin', latitude: 52.52, longitude: 13.405, used_sov_pct: 0 };
      world.sandbox.screens.add({ ...here, id: 'scr_here', name: 'Tower' });
      const [mail = {}] = (await happens('campaign_request.created', request)) ?? [];
      const { To, Subject, Body } = mail as IDataObject;
      assert.deepEqual([To, Subject], [email, 'Screens near you']);
      assert.match(
        String(Body),
        /^Near you: Tower \(0 km\).*\. Start here: http.*utm_campaign=screens_nearby&utm_content=cr_0900/,
      );
    });

    it('a lead from no known city, or without a screen nearby, gets no email and no error', async () => {
      const { happens } = await open('screens-near-new-lead');
      removeScreensOfBerlin();
      for (const city of ['Atlantis', '', 'Berlin']) {
        const fields = { ...request, id: `cr_${city}`, city };
        assert.deepEqual(await happens('campaign_request.created', fields), []);
      }
    });
  });

  it('paid-campaign-to-chat: a paid campaign becomes a message with its amount in units of the currency', async () => {
    const { happens } = await open('paid-campaign-to-chat');
    const paid = { campaign_id: 'cmp_0900', amount_cents: 1250 };
    assert.deepEqual(await happens('campaign.paid', paid), [
      { 'Message Text': 'Campaign cmp_0900 was paid: 12.5.' },
    ]);
  });

  it('tell-chat-about-relay-problems: a subscription that is switched off becomes a message that names it', async (t) => {
    const relays = await openRelayWorld();
    t.after(() => relays.close());
    const { relay, url } = await relays.openEmpty();
    await relay.sources.add('main', 'signing-secret-of-the-access');
    const [n8n, crm] = [
      await relay.tokens.create('main', 'n8n'),
      await relay.tokens.create('main', 'crm'),
    ];
    const credential = await world.api.createCredential('Relay', 'screenAdvertisingRelayApi', {
      baseUrl: url,
      connectorKey: n8n.connectorKey,
    });
    const { runs } = await open('tell-chat-about-relay-problems', {
      ...world.credentials,
      [credential.type]: credential,
    });
    await waitFor({ what: 'the subscription', withinMs: 120_000 }, async () => {
      return (await relay.operate('subscriptions.list', {})).data.length === 1;
    });
    const response = await fetch(`${url}/api/v1/subscriptions`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${crm.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        target_url: 'http://127.0.0.1:9/',
        events: ['campaign.paid'],
        name: 'CRM',
      }),
    });
    const { id } = (await response.json()) as { readonly id: string };
    const [message] = await runs(1, () =>
      relay.operate('subscriptions.change', { id, state: 'off' }),
    );
    assert.match(
      JSON.stringify(message),
      /^\[\{"Message Text":"\\"CRM\\" \(127\.0\.0\.1:9\) gets no more events: /,
    );
  });

  describe('thank-you-coupon-after-paid-campaign', () => {
    const recipe = 'thank-you-coupon-after-paid-campaign';
    const subject = 'Thank you! Here is 10% off your next campaign';
    const paidBy = (user_id: string) =>
      ['campaign.paid', { user_id, campaign_id: 'cmp_1' }] as const;

    // First: afterwards n8n has the table.
    it('the first two events at once both run, though only one can create the table', async () => {
      const { runs, happens } = await open(recipe);
      const users = [
        { user_id: 'usr_0298', email: 'first@example.com' },
        { user_id: 'usr_0299', email: 'second@example.com' },
      ];
      const both = () =>
        Promise.all(users.map((user) => world.sandbox.fire('user.registered', user)));
      assert.deepEqual(await runs(2, both), [[], []]);
      for (const user of users) {
        const [mail] = (await happens(...paidBy(user.user_id))) ?? [];
        assert.equal((mail as IDataObject).To, user.email);
      }
    });

    it('a user who registered gets one coupon by email when a campaign is paid', async () => {
      const { happens } = await open(recipe);
      const user = { user_id: 'usr_0300', email };
      assert.deepEqual(await happens('user.registered', user), []);
      const mails = await happens(...paidBy('usr_0300'));
      const [{ code = '', ...coupon } = {}] = world.sandbox.coupons.list();
      assert.match(code, /^THANKS-[2-9A-HJ-NP-Z]{10}$/);
      assert.partialDeepStrictEqual(coupon, {
        ...{ discount_type: 'percent', discount_value: 10, lead_email: email },
      });
      assert.deepEqual(mails, [{ To: email, Subject: subject, Body: `Your code is ${code}.` }]);
      assert.deepEqual(await happens(...paidBy('usr_0300')), []);
      assert.deepEqual(codes(), [code]);
    });

    it('a user whose address is unknown gets nothing, and one who registers again is reached at the new address', async () => {
      const { happens } = await open(recipe);
      assert.deepEqual(await happens(...paidBy('usr_0301')), []);
      for (const address of ['old@example.com', 'new@example.com']) {
        await happens('user.registered', { user_id: 'usr_0301', email: address });
      }
      const [mail] = (await happens(...paidBy('usr_0301'))) ?? [];
      assert.equal((mail as IDataObject).To, 'new@example.com');
    });

    it('a user with an active coupon gets no second one, and another failure fails the run', async () => {
      const { happens } = await open(recipe);
      await happens('user.registered', { user_id: 'usr_0302', email });
      await giveCoupon('EARLIER');
      assert.deepEqual(await happens(...paidBy('usr_0302')), []);
      assert.deepEqual(codes(), ['EARLIER']);
      world.sandbox.faults.add({ fault: 'status', status: 403, path: '/coupons' });
      assert.match(String(await happens(...paidBy('usr_0302'))), /coupons:write/);
    });
  });

  describe('welcome-coupon-for-referred-user', () => {
    const recipe = 'welcome-coupon-for-referred-user';
    const registered = ['user.registered', { user_id: 'usr_0100', email }] as const;

    it('a user you referred gets one coupon by email, which a later run finds', async () => {
      const { happens } = await open(recipe);
      /** Made from the lead's address with the sandbox's key. */
      const code = 'WELCOME-UM5VVDE9TT';
      const mail = {
        To: email,
        Subject: 'Welcome! Here is 20% off your first campaign',
        Body: `Your code is ${code}.`,
      };
      for (const _run of [1, 2]) assert.deepEqual(await happens(...registered), [mail]);
      assert.deepEqual(codes(), [code]);
      assert.partialDeepStrictEqual(world.sandbox.coupons.list(), [
        { discount_type: 'percent', discount_value: 20, lead_email: email },
      ]);
    });

    it('a user you did not refer, or whom the service does not know, gets nothing', async () => {
      const { happens } = await open(recipe);
      const { sandbox } = world;
      const other = sandbox.users.list().find(({ referredBy }) => referredBy === null);
      const stranger = { user_id: 'usr_0101', email: other?.email };
      assert.deepEqual(await happens('user.registered', stranger), []);
      const body = JSON.stringify({ data: { exists: false } });
      sandbox.faults.add({ fault: 'status', status: 200, path: '/users/lookup', body });
      assert.deepEqual(await happens(...registered), []);
      assert.deepEqual(codes(), []);
    });

    it('a user with an active coupon gets no second one, and another failure fails the run', async () => {
      const { happens } = await open(recipe);
      await giveCoupon('EARLIER');
      assert.deepEqual(await happens(...registered), []);
      assert.deepEqual(codes(), ['EARLIER']);
      world.sandbox.faults.add({ fault: 'status', status: 403, path: '/coupons' });
      assert.match(String(await happens(...registered)), /coupons:write/);
    });
  });

  describe('win-back-after-rejected-request', () => {
    const recipe = 'win-back-after-rejected-request';
    const rejected = ['campaign_request.rejected', { id: 'cr_0900', email }] as const;

    it('a lead whom the service does not know gets one coupon, and a link for each request by email', async () => {
      const { happens } = await open(recipe);
      for (const id of ['cr_0900', 'cr_0901']) {
        const [mail = {}] = (await happens('campaign_request.rejected', { id, email })) ?? [];
        const { To, Subject, Body } = mail as IDataObject;
        assert.deepEqual([To, Subject], [email, 'Try again with 15% off']);
        const link = `http.*utm_campaign=win_back&utm_content=${id}`;
        const code = 'COMEBACK-HPCXYB2M8E';
        assert.match(String(Body), new RegExp(`^Your code is ${code}\\. Start here: ${link}`));
      }
      assert.equal(codes().length, 1);
      assert.partialDeepStrictEqual(world.sandbox.coupons.list(), [
        {
          ...{ discount_type: 'percent', discount_value: 15, lead_email: email },
          lead_metadata: { campaign_request: 'cr_0900' },
        },
      ]);
    });

    it('a user who has booked gets no coupon, one who has not booked yet does', async () => {
      const { happens } = await open(recipe);
      for (const [has_bookings, coupons] of [
        [true, 0],
        [false, 1],
      ] as const) {
        world.sandbox.users.add({ email, has_bookings });
        assert.equal((await happens(...rejected))?.length, coupons);
        assert.equal(codes().length, coupons);
      }
    });

    it('requests without an ID do not share a code', async () => {
      const { happens } = await open(recipe);
      for (const lead of ['one@example.com', 'other@example.com']) {
        await happens('campaign_request.rejected', { id: undefined, email: lead });
      }
      assert.equal(new Set(codes()).size, 2);
    });

    it('without a link, the run fails and no coupon is created', async () => {
      const { happens } = await open(recipe);
      world.sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links' });
      assert.match(String(await happens(...rejected)), /service rejected the request \(400\)/);
      assert.deepEqual(codes(), []);
    });
  });

  describe('daily-availability-report', () => {
    const start = async () =>
      (await (await open('daily-availability-report')).starts('Every Morning')) as IDataObject[];

    it('the screens of the city that are available next week are rows, the cheapest first, and an unreadable one is reported', async () => {
      const before = Date.now();
      const rows = await start();
      const prices = rows.map((row) => Number(row['Total Price in Cents']));
      assert.deepEqual(
        prices,
        prices.toSorted((one, other) => one - other),
      );
      const berlin = world.sandbox.screens.list().filter(({ city }) => city === 'Berlin');
      for (const { Screen, From, To, 'Available Share': share } of rows) {
        assert.ok(berlin.some(({ name }) => name === Screen));
        assert.ok(Number(share) >= 10);
        assert.equal(Date.parse(String(To)) - Date.parse(String(From)), 6 * dayMs);
        assert.ok(Date.parse(String(From)) > before - dayMs);
      }
      const [broken, ...others] = rows.map(({ Screen }) => Screen);
      assert.ok(others.length > 1);
      const path = `/screens/${berlin.find(({ name }) => name === broken)?.id}/availability`;
      world.sandbox.faults.add({ fault: 'status', status: 422, path });
      const later = await start();
      assert.deepEqual(later.map(({ Screen }) => Screen).sort(), [broken, ...others].sort());
      const reported = later.filter(({ Note }) => Note !== '');
      assert.equal(reported.length, 1);
      assert.match(JSON.stringify(reported), /status 422/);
    });

    it('when no screen fits, a row says so', async () => {
      removeScreensOfBerlin();
      assert.deepEqual(
        (await start()).map(({ Screen }) => Screen),
        ['No screen matches'],
      );
    });
  });

  describe('landing-links-from-list', () => {
    it('each row without a link gets its own, and one that fails says why', async () => {
      const { starts } = await open('landing-links-from-list');
      const linkOf = ({ Link }: IDataObject) => /utm_campaign.*(?=&utm_m)/.exec(String(Link))?.[0];
      const rows = (await starts('Start')) as IDataObject[];
      assert.deepEqual(rows.map(linkOf), [
        'utm_campaign=spring&utm_content=newsletter',
        'utm_campaign=spring&utm_content=poster',
      ]);
      const fault = { fault: 'status', status: 400, path: '/landing-links', times: 1 } as const;
      world.sandbox.faults.add(fault);
      const later = (await starts('Start')) as IDataObject[];
      assert.deepEqual(later.map(({ Link }) => Link === '').sort(), [false, true]);
      assert.match(String(later.find(({ Link }) => Link === '')?.Note), /rejected the request/);
    });

    it('rows that have a link, or name no campaign, get none', async () => {
      const rows = [
        { Campaign: 'winter', Content: 'poster', Link: 'https://service.example/earlier' },
        { Campaign: '', Content: 'poster', Link: '' },
      ];
      const own = { id: 'rows', name: 'rows', type: 'array', value: JSON.stringify(rows) };
      const listing = (node: WorkflowNode) =>
        node.name === 'Your List'
          ? { ...node, parameters: { assignments: { assignments: [own] } } }
          : node;
      const { starts } = await open('landing-links-from-list', world.credentials, listing);
      assert.deepEqual(await starts('Start'), []);
    });
  });
});
