import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { read } from '../../structure/project.ts';
import { eventually } from '../../support/eventually.ts';
import { type Running, start, subscribe } from '../support/running-relay.ts';

const firstRetryMs = 5_000;
const type = 'campaign.paid';

async function scrape({ url }: Running): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The samples of the relay's own metrics, except times. */
function samples(text: string): Record<string, number> {
  const lines = text.matchAll(/^(relay_(?!\w+_(?:bucket|sum|count)\b)\S+) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

describe('the metrics', () => {
  it('are only on their own port, if it is set', async () => {
    const { relay } = await start({ metricsPort: 0 });
    const { url, metricsUrl } = await relay.listen();
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${metricsUrl}/metrics`)).text()).toContain('relay_database_up 1');
    for (const path of ['/healthz', '/openapi.json', '/api/v1/me', '/operator/events']) {
      expect((await fetch(`${metricsUrl}${path}`)).status).toBe(404);
    }
  });

  it('show the 100 subscriptions that fail longest', async () => {
    const running = await start();
    const { relay, deliver } = running;
    const failing = await startReceiver([500, 410]);
    const id = await subscribe(running, failing.url);
    await deliver({ id: '1', type });
    await relay.clock.advance(0);
    for (let nth = 0; nth < 100; nth += 1) {
      await subscribe(running, `${failing.url}/${nth}`, { events: ['user.registered'] });
    }
    const watcher = await start({ role: 'ingress', databaseUrl: running.databaseUrl });
    const shown = Object.keys(samples(await scrape(watcher)));
    const own = shown.filter((name) => name.includes('subscription='));
    expect(own).toHaveLength(400);
    expect(own[0]).toContain(id);
  });

  it('begin at 0, so that the first of each kind is an increase', async () => {
    const shown = samples(await scrape(await start()));
    const counters = Object.entries(shown).filter(([name]) => name.includes('_total'));
    expect(counters).toEqual([
      ...['stored', 'duplicate', 'malformed', 'forged', 'unknown_source', 'too_large', 'aborted']
        .concat('unavailable', 'failed')
        .map((result) => [`relay_ingest_total{result="${result}"}`, 0]),
      ...['delivered', 'ignored', 'failed', 'dead'].map((outcome) => [
        `relay_delivery_attempts_total{outcome="${outcome}"}`,
        0,
      ]),
      ['relay_errors_total', 0],
    ]);
  });

  it('count dead deliveries that can be redelivered, also of an old subscription', async () => {
    const running = await start();
    const { relay, deliver, call, databaseUrl } = running;
    const gone = await startReceiver([410, 410]);
    const id = await subscribe(running, gone.url);
    await deliver({ id: '1', type, data: { lead_email: 'anna@example.com' } });
    await relay.clock.advance(0);
    for (let nth = 0; nth < 100; nth += 1) {
      await subscribe(running, `${gone.url}/${nth}`, { events: ['user.registered'] });
    }
    const dead = async () => {
      const watcher = await start({ role: 'ingress', databaseUrl });
      const shown = samples(await scrape(watcher));
      return shown[`relay_subscription_deliveries{subscription="${id}",state="dead"}`];
    };
    expect(await dead()).toBe(1);
    await relay.operate('events.erase', { search: 'anna@example.com' });
    // Newer ones are shown in its place, of those with nothing dead.
    expect((await call('GET', '/deliveries?state=dead')).body.data).toMatchObject([
      { reason: 'erased' },
    ]);
    expect(await dead()).toBe(0);
  });

  it('count what arrived and what was delivered, and show the lag', async () => {
    const receiver = await startReceiver([500, 410]);
    const running = await start();
    const { relay, deliver } = running;
    await subscribe(running, receiver.url);
    await deliver({ id: '1', type });
    await deliver({ id: '1', type });
    await deliver({ id: '2', type }, { secret: 'of somebody else' });
    await deliver('{');
    await deliver({ id: '3', type }, { source: 'unknown' });
    await deliver(' '.repeat(1024 * 1024 + 1));
    await relay.clock.advance(0);
    expect(samples(await scrape(running))).toMatchObject({
      'relay_ingest_total{result="stored"}': 1,
      'relay_ingest_total{result="duplicate"}': 1,
      'relay_ingest_total{result="forged"}': 1,
      'relay_ingest_total{result="malformed"}': 1,
      'relay_ingest_total{result="unknown_source"}': 1,
      'relay_ingest_total{result="too_large"}': 1,
      'relay_delivery_attempts_total{outcome="failed"}': 1,
      'relay_deliveries{state="pending"}': 1,
      'relay_deliveries{state="dead"}': 0,
      'relay_subscriptions{state="active"}': 1,
      'relay_subscriptions{state="off",off_reason="gone"}': 0,
      relay_lag_seconds: 0,
      relay_database_up: 1,
    });
    // A relay that does not deliver sees what the first one leaves behind.
    const watcher = await start({ role: 'ingress', databaseUrl: running.databaseUrl });
    await watcher.relay.clock.advance(65_000);
    expect(samples(await scrape(watcher)).relay_lag_seconds).toBe(60);
    await relay.clock.advance(firstRetryMs);
    const second = await start({ role: 'ingress', databaseUrl: running.databaseUrl });
    expect(samples(await scrape(second))).toMatchObject({
      'relay_deliveries{state="pending"}': 0,
      'relay_deliveries{state="dead"}': 1,
      'relay_subscriptions{state="off",off_reason="gone"}': 1,
    });
    expect(samples(await scrape(running))).toMatchObject({
      'relay_delivery_attempts_total{outcome="dead"}': 1,
    });
  });

  it('hold each one that the dashboard shows', async () => {
    const running = await start();
    await running.deliver({ id: '1', type });
    const text = await scrape(running);
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const dashboard = JSON.parse(read('docs/relay-cluster/grafana-dashboard.json'));
    const shown: string[] = [
      ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
        targets.map(({ expr }) => expr),
      ),
      ...dashboard.templating.list.map(({ query }: { query: unknown }) => JSON.stringify(query)),
    ];
    const names = shown.flatMap((text) => text.match(/\b(?:relay|process|nodejs)_\w+/g) ?? []);
    expect(names.length).toBeGreaterThan(12);
    expect(names.filter((name) => !known.has(name.replace(/_bucket$/, '')))).toEqual([]);
    const own = [...known].filter((name) => name?.startsWith('relay_'));
    expect(own.filter((name) => !names.some((shown) => shown.startsWith(name ?? '')))).toEqual([]);
    for (const page of ['docs/relay.md', 'docs/relay-cluster/alerts.yml']) {
      const told = new Set(read(page).match(/\brelay_\w+/g));
      const untold = own.filter((name) => ![...told].some((one) => one.startsWith(name ?? '')));
      expect({ page, untold }).toEqual({ page, untold: [] });
      expect([...told].filter((name) => !known.has(name.replace(/_bucket$/, '')))).toEqual([]);
    }
  });
});

/** Sends the head of a request and the start of its body, then breaks the connection. */
async function abort({ url }: Running, path: string, head: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const whole = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${head}\r\n`;
  await new Promise((resolve) => socket.write(whole, resolve));
  socket.resetAndDestroy();
}

it('uploads that break off are counted as aborted, not as errors of the relay', async () => {
  const errors: unknown[] = [];
  const running = await start({ onError: (error) => errors.push(error) });
  // Without one, an upload is refused before it is read.
  const signature = 'X-Service-Signature: t=1,v1=00\r\n';
  for (let count = 0; count < 20; count += 1) {
    await abort(running, '/in/main', `${signature}Content-Length: 1000\r\n\r\n{"id":`);
    await abort(
      running,
      '/in/main',
      `${signature}Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n`,
    );
  }
  const ofUploads = async () => {
    const { relay_errors_total: failed, ...all } = samples(await scrape(running));
    return [all['relay_ingest_total{result="aborted"}'], failed];
  };
  await eventually(async () => (await ofUploads())[0] === 40, '40 aborted uploads are counted');
  expect(await ofUploads()).toEqual([40, 0]);
  expect(errors).toEqual([]);
});
