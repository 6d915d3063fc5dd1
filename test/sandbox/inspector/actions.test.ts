import { describe, expect, it } from '@jest/globals';
import { createCoupon, noticeIn, openInspector } from './support.ts';

describe('forms', () => {
  it('do their work, return to their page, and say what was done', async () => {
    const { sandbox, submit, get } = openInspector();
    const answer = await submit('add-webhook', {
      from: '/inspector/events',
      url: 'http://127.0.0.1:9/hook',
      access: 'second',
    });
    expect(answer.status).toBe(303);
    const back = answer.headers.get('location') ?? '';
    expect(back).toBe('/inspector/events?done=add-webhook');
    expect(await noticeIn(await get(back))).toBe('Webhook address registered.');
    expect(sandbox.webhooks.list()).toMatchObject([
      { url: 'http://127.0.0.1:9/hook', accessId: 'second' },
    ]);
  });

  it('keep the filter of the page they are on', async () => {
    const answer = await openInspector().submit('freeze-clock', {
      from: '/inspector/screens?city=Berlin',
    });
    expect(answer.headers.get('location')).toBe('/inspector/screens?city=Berlin&done=freeze-clock');
  });

  it('fire an event with the filled-in fields, numbers as numbers', async () => {
    const { sandbox, submit } = openInspector();
    sandbox.webhooks.add({ url: 'http://127.0.0.1:1/', access: 'second' });
    await submit('fire-event', {
      type: 'campaign.paid',
      access: 'second',
      'data.amount_cents': '4200',
      'data.user_id': '',
      more: '{"note": "from the form"}',
    });
    const [delivery] = sandbox.deliveries.list();
    expect(JSON.parse(delivery?.body ?? '{}')).toMatchObject({
      data: { amount_cents: 4200, note: 'from the form', user_id: expect.stringMatching(/^usr_/) },
    });
  });

  it('move the clock, redeem, redeliver, empty the journal, and reset', async () => {
    const inspector = openInspector();
    const { sandbox, submit } = inspector;
    const before = sandbox.clock.now();
    await submit('advance-clock', { ms: '30000' });
    expect(sandbox.clock.now()).toBe(before + 30_000);
    await submit('run-clock');
    expect(sandbox.clock.isFrozen).toBe(false);
    await submit('freeze-clock');
    expect(sandbox.clock.isFrozen).toBe(true);
    await createCoupon(inspector, { lead_email: 'a@example.com', code: 'GOOD' });
    await submit('redeem-coupon', { code: 'GOOD' });
    expect(sandbox.coupons.list()).toMatchObject([{ code: 'GOOD', redemptions: 1 }]);
    const { id } = sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    const [delivery] = await sandbox.fire('campaign.paid');
    await submit('redeliver', { id: delivery?.id ?? '' });
    const attempts = [{ manual: false }, { manual: true }];
    expect(sandbox.deliveries.list()).toMatchObject([{ attempts }]);
    await submit('remove-webhook', { id });
    expect(sandbox.webhooks.list()).toEqual([]);
    await submit('clear-journal');
    expect(sandbox.journal.list()).toEqual([]);
    const now = sandbox.clock.now();
    const { headers } = await submit('reset');
    expect([sandbox.coupons.list(), sandbox.clock.now()]).toEqual([[], now]);
    expect(await noticeIn(await inspector.get(headers.get('location') ?? ''))).toBe(
      'Sandbox reset to its initial data. The clock keeps its time.',
    );
  });

  it('switch every fault of the list on, for the chosen operations, and off again', async () => {
    const { sandbox, submit, html } = openInspector();
    const page = await html('/inspector/faults');
    const list = page.match(/name="kind">([\s\S]*?)<\/select>/)?.[1] ?? '';
    const options = [...list.matchAll(/value="([^"]*)">([^<]*)</g)];
    expect(options.length).toBeGreaterThan(10);
    for (const [, kind = ''] of options) {
      expect((await submit('add-fault', { kind, calls: 'POST /coupons', times: '2' })).status).toBe(
        303,
      );
    }
    expect(sandbox.faults.list()).toHaveLength(options.length);
    expect(sandbox.faults.list()[0]).toMatchObject({ method: 'POST', path: '/coupons', times: 2 });
    const shown = await html('/inspector/faults');
    for (const [, , label = ''] of options) expect(shown).toContain(`>${label}</td>`);

    await submit('remove-fault', { id: sandbox.faults.list()[0]?.id ?? '' });
    expect(sandbox.faults.list()).toHaveLength(options.length - 1);
    await submit('clear-faults');
    expect(sandbox.faults.list()).toEqual([]);
  });
});

it.each([
  ['add-webhook', { url: 'ftp://x' }, /^url: must be an http or https address/],
  ['fire-event', { type: 'nothing' }, /^type: must be one of .*campaign\.paid, /],
  [
    'fire-event',
    { type: 'campaign.paid', 'data.amount_cents': 'much' },
    /^amount_cents must be a plain number .*, not &quot;much&quot;\.$/,
  ],
  [
    'fire-event',
    { type: 'campaign.paid', more: '[1]' },
    /^More fields must be an object with fields, such as /,
  ],
  ['fire-event', { type: 'campaign.paid', more: '{' }, /^More fields must be valid JSON, such as /],
  [
    'fire-event',
    { type: 'campaign.paid', access: 'nobody' },
    /^Unknown access nobody. Known: full,/,
  ],
  ['advance-clock', { ms: 'soon' }, /^ms must be a plain number .*, not &quot;soon&quot;\.$/],
  ['advance-clock', { ms: '31622400001' }, /^ms: must be at most 31622400000, which is a year\.$/],
  ['redeem-coupon', { code: 'NONE' }, /^There is no coupon NONE\.$/],
  ['remove-webhook', { id: 'whk_9' }, /^There is no webhook address whk_9\.$/],
  ['redeliver', { id: 'dlv_9' }, /^There is no delivery dlv_9\.$/],
  ['remove-fault', { id: 'flt_9' }, /^There is no fault rule flt_9\.$/],
  ['add-fault', { kind: 'gremlins' }, /^Choose what goes wrong\.$/],
  ['add-fault', { kind: 'slow', times: '0' }, /^times: /],
])('an invalid form shows the page with the reason: %s %j', async (action, fields, expected) => {
  const answer = await openInspector().submit(action, fields);
  expect(answer.status).toBe(400);
  expect(await noticeIn(answer)).toMatch(expected);
});

describe('what does not come from the inspector is rejected', () => {
  it('an unknown action', async () => {
    const answer = await openInspector().submit('explode');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no action explode.');
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example/', '/api/v1/screens', 'http://['])(
    'a redirect to %s',
    async (from) => {
      const answer = await openInspector().submit('freeze-clock', { from });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('from must be a page of the sandbox.');
    },
  );

  it('a form of another site, but not a link to the pages', async () => {
    const { sandbox } = openInspector();
    const { url } = await sandbox.listen();
    try {
      const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      const form = await fetch(`${url}/inspector/actions/reset`, {
        method: 'POST',
        headers: foreign,
        body: new URLSearchParams({ from: '/' }),
      });
      expect(form.status).toBe(403);
      expect(await form.text()).toContain('only from its own pages');
      expect((await fetch(url, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
    } finally {
      await sandbox.close();
    }
  });
});
