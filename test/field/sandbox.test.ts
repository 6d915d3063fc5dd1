import { describe, expect, it } from '@jest/globals';
import { openInspector } from '../sandbox/inspector/support.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { start } from '../sandbox/support/running-sandbox.ts';

const textOf = (html: string) => html.replaceAll(/<[^>]*>?/g, '').trim();

describe('a developer against the sandbox', () => {
  it('looks up a refused call: the journal has its problem document', async () => {
    const { call, sandbox } = await start();
    const body = { code: 'WINTER-26', discount_type: 'percent', lead_email: 'lead@example.com' };
    await call('POST', '/coupons', { body });
    const [refused] = sandbox.journal.list();
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).toContain('discount_value must be a number.');
  });

  it('fires an event and fills nothing in: what the form showed is sent', async () => {
    const { sandbox, html } = openInspector();
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    const fields = (await html('/inspector/events')).matchAll(
      /id="campaign-paid-\w+" name="data\.(\w+)" placeholder="([^"]*)"/g,
    );
    await sandbox.fire('campaign.paid');
    const { data } = JSON.parse(receiver.arrivals[0]?.body ?? '');
    const shown = [...fields].map(([, name = '', text]) => [
      name,
      text === 'now' ? '2027-03-01T09:00:00.000Z' : text,
    ]);
    expect(shown.map(([name]) => name)).toContain('paid_at');
    expect(Object.entries(data).map(([name, value]) => [name, String(value)])).toEqual(shown);
  });

  it('fires an event at two addresses: it is one row', async () => {
    const { sandbox, html } = openInspector();
    for (let time = 0; time < 2; time += 1) {
      const { url } = await startReceiver();
      sandbox.webhooks.add({ url: `${url}/${time}` });
    }
    await sandbox.fire('campaign.paid');
    const page = await html('/inspector/events');
    const rows = page.match(/<details id="evt_[^>]*>\s*<summary>.*?<span/gs)?.map(textOf);
    expect(rows).toEqual(['campaign.paid 2 of 2 delivered']);
  });
});
