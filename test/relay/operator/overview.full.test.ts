import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { onDatabase } from '../support/database.ts';
import { start } from '../support/running-relay.ts';
import { adminToken, openLivelyPage, openPage, Visitor } from './support.ts';

const hourMs = 3_600_000;

/** Of the table below the plot: label, events, deliveries, failed attempts. */
function slotsIn(html: string): string[][] {
  const [table = ''] = html.match(/<details id="plot-table">.*?<\/details>/s) ?? [];
  return [...table.matchAll(/<tr[^>]*><td[^>]*>(.*?)<\/tr>/g)]
    .map(([, row = '']) => row.split(/<\/td><td[^>]*>/).map((cell) => cell.replace('</td>', '')))
    .filter(([, ...numbers]) => numbers.some((number) => number !== '0'));
}

/** Kind and height of the bars that can be seen. */
const barsIn = (html: string) =>
  [...html.matchAll(/<rect class="(\w+)".*? height="([\d.]+)"/g)]
    .map(([, kind, height]) => [kind, Number(height)])
    .filter(([, height]) => height !== 0);

describe("the overview's plot", () => {
  it('counts events, deliveries and failed attempts by the hour and by the day', async () => {
    const { visitor, relay, deliver } = await openLivelyPage();
    await deliver({ id: 'one', type: 'campaign.paid', data: { amount_cents: 4200 } });
    await relay.clock.advance(2_000);
    const { html } = await visitor.get('/');
    expect(slotsIn(html)).toEqual([['2027-03-01 09:00', '3', '1', '2']]);
    expect(html).toContain('<desc id="plot-desc">Last 24 hours. Events: 3. Deliveries: 1.');
    expect(html.match(/<rect class="failures"/g)).toHaveLength(24);
    expect(barsIn(html)).toEqual([
      ['events', 130],
      ['deliveries', 43.3],
      ['failures', 86.7],
    ]);
    await relay.clock.advance(2 * hourMs);
    await deliver({ id: 'later', type: 'campaign.paid', data: {} });
    await relay.clock.advance(2_000);
    expect(slotsIn((await visitor.get('/')).html)).toEqual([
      ['2027-03-01 09:00', '3', '2', '2'],
      ['2027-03-01 11:00', '1', '1', '0'],
    ]);
    const days = (await visitor.get('/?range=days')).html;
    expect(slotsIn(days)).toEqual([['2027-03-01', '4', '3', '2']]);
    await relay.clock.advance(23 * hourMs);
    // The session has expired.
    await visitor.signIn();
    expect(slotsIn((await visitor.get('/')).html)).toEqual([['2027-03-01 11:00', '1', '1', '0']]);
  });

  it('adds up what several processes count, also at their end, and is pruned', async () => {
    const first = await openPage();
    await first.deliver({ id: '1', type: 'campaign.paid' });
    const second = await start({ databaseUrl: first.databaseUrl, adminToken });
    await second.deliver({ id: '2', type: 'campaign.paid' });
    await second.deliver({ id: '2', type: 'campaign.paid' });
    await second.relay.close();
    await first.relay.clock.advance(2_000);
    expect(slotsIn((await first.visitor.get('/')).html)).toEqual([
      ['2027-03-01 09:00', '2', '0', '0'],
    ]);
    await first.relay.clock.advance(3 * hourMs);
    await first.relay.prune(hourMs);
    expect(slotsIn((await first.visitor.get('/')).html)).toEqual([]);
  });

  it('loses nothing while the database cannot store it', async () => {
    const reported: unknown[] = [];
    const opened = await openPage({ onError: (error) => reported.push(error) });
    const { visitor, relay, deliver, databaseUrl } = opened;
    const rename = (from: string, to: string) =>
      onDatabase(databaseUrl, (client) => client.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('hourly_count', 'away');
    await deliver({ id: '1', type: 'campaign.paid' });
    await relay.clock.advance(2_000);
    await rename('away', 'hourly_count');
    await deliver({ id: '2', type: 'campaign.paid' });
    await relay.clock.advance(2_000);
    expect(slotsIn((await visitor.get('/')).html)).toEqual([['2027-03-01 09:00', '2', '0', '0']]);
  });
});

describe('the overview', () => {
  it('shows for each subscription what share was delivered, and how fast it responds', async () => {
    const { visitor, subscription } = await openLivelyPage();
    for (const path of ['/', '/operator/subscriptions']) {
      const { html } = await visitor.get(path);
      expect(html).toMatch(/<td[^>]*>33 % of 3<\/td><td[^>]*>\d+ ms<\/td>/);
    }
    const { html } = await visitor.get(`/operator/subscriptions/${subscription}`);
    expect(html).toMatch(/<dt>Delivered of last 100<\/dt><dd>33 % of 3<\/dd>/);
  });

  it('counts the newest 100 deliveries, with a backlog, too', async () => {
    const { visitor, relay, call, deliver, databaseUrl } = await openPage();
    const receiver = await startReceiver();
    await call('PUT', '/subscriptions', { target_url: receiver.url, events: ['*'] });
    for (let number = 0; number < 3; number += 1) {
      await deliver({ id: String(number), type: 'campaign.paid' });
      await relay.clock.advance(1_000);
    }
    await onDatabase(databaseUrl, (client) =>
      client.query(`INSERT INTO delivery (source_number, event_id, subscription_number, next_at)
        SELECT 1, ('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid, 1, now()
        FROM generate_series(1, 300) AS n`),
    );
    expect((await visitor.get('/')).html).toMatch(/<td[^>]*>100 % of 3<\/td>/);
    await onDatabase(databaseUrl, (client) =>
      client.query(`WITH added AS (
        INSERT INTO delivery (source_number, event_id, subscription_number, state, attempts)
        SELECT 1, ('eeeeeeee-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid, 1, 'dead', 1
        FROM generate_series(1, 99) AS n RETURNING *)
      INSERT INTO attempt (source_number, event_id, subscription_number, number, at, status, error, duration_ms)
      SELECT 1, event_id, 1, 1, now(), 500, 'responded with status 500',
        CASE WHEN row_number() OVER () <= 85 THEN 77 ELSE 1234 END FROM added`),
    );
    expect((await visitor.get('/')).html).toMatch(
      /<td[^>]*>1 % of 100<\/td><td[^>]*>1,234 ms<\/td>/,
    );
  });

  it('has a button that copies each address and each key', async () => {
    const { visitor, subscription, delivered } = await openLivelyPage();
    const address = `${visitor.url}/in/main`;
    for (const path of ['/', '/operator/sources']) {
      expect((await visitor.get(path)).html).toContain(`data-copy="${address}"`);
    }
    const own = (await visitor.get(`/operator/subscriptions/${subscription}`)).html;
    expect(own).toContain(`data-copy="${subscription}" aria-label="Copy the ID"`);
    const event = (await visitor.get(`/operator/events/${delivered}`)).html;
    expect(event).toContain(`data-copy="${delivered}" aria-label="Copy the relay ID"`);
    expect(event).toContain('data-copy="one" aria-label="Copy the payload ID"');
    const { html } = await new Visitor(visitor.url)
      .signIn()
      .then((other) =>
        other.post('/operator/actions/create-token', { source: 'main', name: 'partner' }),
      );
    expect(html).toMatch(/data-copy="rly_[\w-]+\.whsec_\S+" aria-label="Copy the connector key"/);
  });

  it("shows the payload's ID beside the relay's in every list", async () => {
    const { visitor, delivered } = await openLivelyPage();
    for (const path of ['/', '/operator/events', '/operator/deliveries']) {
      const { html } = await visitor.get(path);
      expect(html).toContain('<code>one</code>');
      expect(html).toContain(`<code>${delivered}</code>`);
    }
  });
});
