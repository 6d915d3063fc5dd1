import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { run, type Server, startServer } from '../../support/launch.ts';
import { fromDebian, root } from '../support/machine.ts';
import { waitFor } from '../support/wait.ts';
import { openRelayWorld, type RelayWorld } from './open-relay.ts';

const cluster = path.join(root, 'docs/relay-cluster');
const alerts = path.join(cluster, 'alerts.yml');

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(path.join(cluster, 'grafana-dashboard.json'), 'utf8'),
);

describe('Prometheus', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prometheus-'));
  let world: RelayWorld;
  let prometheus: Server;
  let url: string;

  before(async () => {
    const command = await fromDebian('prometheus');
    world = await openRelayWorld();
    const relay = await world.open();
    url = `http://127.0.0.1:${await freePort()}`;
    const config = path.join(folder, 'prometheus.yml');
    const log = path.join(folder, 'prometheus.log');
    writeFileSync(log, '');
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${alerts}']
scrape_configs:
  - job_name: relay
    static_configs: [{ targets: ['${new URL(relay.url).host}'] }]
`,
    );
    prometheus = await startServer({
      name: 'Prometheus',
      command,
      args: [
        `--config.file=${config}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=${new URL(url).host}`,
      ],
      log,
      ready: () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      readyWithinMs: 60_000,
    });
  });

  after(async () => {
    await prometheus?.stop();
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function read<Data>(what: string): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${what}`);
    const { status, error, data } = (await response.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data: Data;
    };
    assert.deepEqual({ what, status, error }, { what, status: 'success', error: undefined });
    return data;
  }

  it('finds a value for each panel of the dashboard', async () => {
    const queries = panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    assert.ok(queries.length > 15);
    for (const { title, expr } of queries) {
      const query = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.+');
      assert.doesNotMatch(query, /\$/);
      await waitFor({ what: `values for "${title}": ${query}`, withinMs: 60_000 }, async () => {
        const { result } = await read<{ readonly result: readonly unknown[] }>(
          `query?query=${encodeURIComponent(query)}`,
        );
        return result.length > 0;
      });
    }
  });

  it('evaluates every alert without an error', async () => {
    interface Rule {
      readonly name: string;
      readonly health: string;
      readonly state: string;
    }
    const rules = await waitFor({ what: 'the alerts', withinMs: 60_000 }, async () => {
      const { groups } = await read<{
        readonly groups: readonly { readonly rules: readonly Rule[] }[];
      }>('rules');
      const all = groups.flatMap((group) => group.rules);
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
    });
    assert.deepEqual(
      rules.filter(({ health }) => health !== 'ok'),
      [],
    );
    assert.ok(rules.length > 10);
  });

  it('fires each alert when it should, and not before', async () => {
    const test = path.join(folder, 'alerts.test.yml');
    writeFileSync(test, unitTests());
    const promtool = path.join(path.dirname(await fromDebian('prometheus')), 'promtool');
    const printed = await run(promtool, ['test', 'rules', test]);
    assert.match(printed, /SUCCESS/);
  });
});

/**
 * Series of an hour, a sample a minute, and the minutes at which an alert is quiet, then fires; for one
 * about a state, when it still fires, and when it is over.
 */
const cases: readonly [
  alert: string,
  series: Record<string, string>,
  quiet: number,
  firing: number,
  still?: number,
  over?: number,
][] = [
  ['RelayDown', { relay_database_up: '1x10 _x50' }, 10, 30],
  ['RelayDatabaseDown', { relay_database_up: '1x10 0x50' }, 10, 13],
  ['RelayErrors', { relay_errors_total: '0x10 1x50' }, 10, 12],
  [
    'RelayIngestSlow',
    {
      'relay_ingest_duration_seconds_bucket{le="5"}': '0+10x20 200x40',
      'relay_ingest_duration_seconds_bucket{le="10"}': '0+10x20 210+10x40',
      'relay_ingest_duration_seconds_bucket{le="+Inf"}': '0+10x20 210+10x40',
    },
    20,
    35,
  ],
  ['RelayForgedEvents', { 'relay_ingest_total{result="forged"}': '0x20 3x40' }, 20, 22],
  ['RelayLag', { relay_lag_seconds: '60x10 61x50' }, 11, 14],
  [
    'RelaySubscriptionFailing',
    { 'relay_subscription_failing_seconds{subscription="sub_1"}': '0+60x60' },
    5,
    6,
  ],
  [
    'RelayDeliveriesWait',
    { 'relay_subscription_deliveries{subscription="sub_1",state="waiting"}': '0x5 101x55' },
    20,
    22,
  ],
  [
    'RelaySubscribersSlow',
    {
      'relay_delivery_duration_seconds_bucket{le="10"}': '0+10x20 200x40',
      'relay_delivery_duration_seconds_bucket{le="15"}': '0+10x20 210+10x40',
      'relay_delivery_duration_seconds_bucket{le="+Inf"}': '0+10x20 210+10x40',
    },
    25,
    45,
  ],
  [
    'RelayAttemptsFail',
    {
      'relay_delivery_attempts_total{outcome="delivered"}': '0+10x20 200+1x40',
      'relay_delivery_attempts_total{outcome="failed"}': '0+1x20 21+10x40',
    },
    20,
    58,
  ],
  [
    'RelayDeadDeliveries',
    { 'relay_subscription_deliveries{subscription="sub_1",state="dead"}': '0x10 8x40 0x10' },
    10,
    12,
    50,
    53,
  ],
  [
    'RelaySubscriptionOff',
    {
      'relay_subscriptions{state="off",off_reason="gone"}': '0x10 1x40 0x10',
      'relay_subscriptions{state="off",off_reason="by_hand"}': '3x60',
    },
    10,
    12,
    50,
    53,
  ],
  ['RelayClockWrong', { relay_clock_offset_seconds: '-60x10 -61x50' }, 11, 14],
];

/** In the format of `promtool test rules`, which compares labels and texts too. */
function unitTests(): string {
  const text = readFileSync(alerts, 'utf8');
  const known = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(
    cases.map(([alert]) => alert),
    known,
  );
  const quoted = JSON.stringify;
  const tests = cases.map(([alert, series, quiet, firing, still, over]) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      [quiet, 0],
      [firing, 1],
      ...(still === undefined ? [] : [[still, 1]]),
      ...(over === undefined ? [] : [[over, 0]]),
    ].map(([minute, count]) => ({
      expr: `count(ALERTS{alertname=${quoted(alert)},alertstate="firing"}) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ value: count }],
    })),
  }));
  return quoted({ rule_files: [alerts], evaluation_interval: '1m', tests });
}
