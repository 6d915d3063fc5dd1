import { inRounds, ratiosTo } from '../../lib/rounds.ts';
import { atMost } from '../../lib/section.ts';
import { digits, showSpread, spreadOf } from '../../lib/spread.ts';
import type { Findings } from './findings.ts';
import type { Stage } from './stage.ts';
import { timeOfList } from './stored.ts';

const type = 'campaign.paid';
const firstPage = 'GET /events';

/** How long it takes to find the events with one value among many. */
export async function searchAmongMany(stage: Stage, isShort: boolean): Promise<Findings> {
  const many = isShort ? 100_000 : 1_000_000;
  const databaseUrl = await stage.database();
  const relay = stage.relay(databaseUrl);
  await relay.start();
  const receivers = stage.receivers();
  await relay.subscribe(await receivers.open(1), type);
  await stage.seedMonth(databaseUrl, { count: many, type, state: 'delivered' });
  const searches = {
    'a value of one event': `lead-${many / 2}@example.com`,
    'a value of no event': 'nobody@example.com',
    'a value of every event': '0',
  };
  const paths = Object.entries(searches).map(
    ([name, value]) => [name, `/events?search=${encodeURIComponent(value)}`] as const,
  );
  const found = await Promise.all(paths.map(([, path]) => relay.list(path)));
  if (found.map(({ length }) => length).join() !== '1,0,50') throw new Error('Nothing was found.');
  const samples = await inRounds<number>(
    Object.fromEntries(
      [[firstPage, '/events'] as const, ...paths].map(([name, path]) => [
        name,
        () => timeOfList(relay, path),
      ]),
    ),
    isShort ? 5 : 40,
  );
  const ratios = ratiosTo(firstPage, samples);
  const times = (name: string) => spreadOf(samples[name] ?? []);
  const names = Object.keys(searches);
  return {
    table: {
      head: [`search among ${digits(many)} events`, 'time', 'milliseconds here'],
      rows: [firstPage, ...names].map((name) => [
        name,
        showSpread(ratios[name]),
        digits(times(name).median),
      ]),
    },
    goals: names.flatMap((name) => [
      atMost(`time of a search for ${name}, to ${firstPage}`, ratios[name], 20),
      atMost(`milliseconds of a search for ${name}`, times(name), 300),
    ]),
  };
}
