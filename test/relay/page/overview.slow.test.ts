import { describe, expect, it } from '@jest/globals';
import { start } from '../support/running-relay.ts';
import { adminToken, openLivelyPage, openPage } from './support.ts';

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
});
