import { createServer } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rawResponse, startActor } from '../relay/support/actor.ts';
import { ownSource, type Running, start } from '../relay/support/running-relay.ts';
import { listen } from '../shared/support/loopback.ts';
import { type Gate, openGate } from './gate.ts';
import { n8nLogger } from './n8n.ts';
import { wordThatEndsRetries } from './publishing.ts';
import { fire, live, openWorkflow, type RelayWorkflow, started } from './relay-workflow.ts';

let shared: Running;
let running: Running;
let workflow: RelayWorkflow;
/** What the trigger wrote to n8n's log. */
let log: string[];

beforeAll(async () => {
  shared = await start();
});
beforeEach(async () => {
  log = [];
  for (const level of ['error', 'warn', 'info'] as const) {
    jest.spyOn(n8nLogger, level).mockImplementation((message) => {
      log.push(`${level}: ${message}`);
    });
  }
  running = await ownSource(shared);
  workflow = await openWorkflow(running);
});

/** Gives a workflow's credential other values. */
function connect(values: { baseUrl?: string; connectorKey?: string }, of = workflow): void {
  Object.assign(of.engine.credentials.screenAdvertisingRelayApi ?? {}, values);
}

/** Exactly one subscription, and an event starts the workflow exactly once. */
async function expectOne(of = workflow, type = 'coupon.redeemed'): Promise<string> {
  const subscriptions = await live(running);
  expect(subscriptions).toEqual([
    expect.objectContaining({
      target_url: `${of.webhookUrl}/webhook/1/webhook`,
      events: of.parameters.events,
    }),
  ]);
  const before = started(of.server);
  const { id } = await fire(running, type);
  expect(started(of.server)).toEqual([...before, id]);
  return subscriptions[0]?.id ?? '';
}

describe('a workflow that gets its events through a relay', () => {
  it('is subscribed under its name while it is published, to the events that are chosen', async () => {
    await workflow.n8n.publish();
    await expectOne();
    expect(await live(running)).toMatchObject([{ name: 'Workflow (n8n)' }]);
    await workflow.n8n.unpublish();
    expect(await live(running)).toEqual([]);
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid', 'user.registered'] };
    await workflow.n8n.publish('update');
    await expectOne(workflow, 'campaign.paid');
    const before = started(workflow.server);
    await fire(running, 'coupon.redeemed');
    expect(started(workflow.server)).toEqual(before);
  });

  it('is subscribed once when two main processes start at the same moment', async () => {
    const mains = [workflow.n8n, await workflow.secondMain()];
    await Promise.all(mains.map((main) => main.publish('init')));
    await expectOne();
  });

  it('is subscribed once after n8n was killed before it stored the subscription', async () => {
    await workflow.n8n.killedWhilePublishing();
    await workflow.n8n.publish('init');
    await expectOne();
    await workflow.n8n.unpublish();
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid'] };
    await workflow.n8n.killedWhilePublishing('update');
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid', 'coupon.redeemed'] };
    await workflow.n8n.publish('init');
    await expectOne();
  });

  it('is subscribed again when it starts after its subscription was deleted, or ended with its key', async () => {
    const { connectorKey, token } = await running.relay.tokens.create(running.source, 'own');
    const own = await openWorkflow(running, { credential: { connectorKey } });
    await own.n8n.publish();
    const [{ id } = { id: '' }] = await live(running);
    await running.call('DELETE', `/subscriptions/${id}`, undefined, token);
    await own.n8n.publish('init');
    await expectOne(own);
    await running.relay.tokens.revoke(running.source, 'own');
    expect(await live(running)).toEqual([]);
    connect({ connectorKey: running.key.connectorKey }, own);
    await own.n8n.publish('init');
    await expectOne(own);
  });

  it.each([
    ['when it is published again', true],
    ['when n8n starts', false],
  ])('gets each event once after its credential got another key, %s', async (_when, again) => {
    await workflow.n8n.publish();
    const { name } = (await running.relay.tokens.list()).at(-1) ?? { name: '' };
    const { connectorKey } = await running.relay.tokens.create(running.source, 'next');
    connect({ connectorKey });
    const ids = [(await fire(running)).id];
    expect(started(workflow.server)).toEqual([]);
    for (let count = 0; count < 3; count += 1) {
      if (again) await workflow.n8n.unpublish();
      await workflow.n8n.publish(again ? 'update' : 'init');
      await running.relay.clock.advance(1);
      ids.push((await fire(running)).id);
    }
    expect(started(workflow.server)).toEqual(ids);
    // The relay delivers with the old key, too, until it ends: n8n refuses that.
    expect(await live(running)).toHaveLength(2);
    await running.relay.tokens.revoke(running.source, name);
    await expectOne();
  });
});

it('a workflow from before the relay existed makes no request when it is published', async () => {
  const old = await openWorkflow(running, { credential: { baseUrl: 'http://127.0.0.1:1' } });
  old.parameters = { delivery: 'direct', events: ['coupon.redeemed'] };
  await old.n8n.publish();
  await old.n8n.unpublish();
  expect(await live(running)).toEqual([]);
});

describe('events since the workflow was unpublished', () => {
  function includeMissed(): void {
    workflow.parameters = { ...workflow.parameters, options: { catchUp: true } };
  }

  async function publish(): Promise<void> {
    await workflow.n8n.publish();
    await running.relay.clock.advance(1_000);
  }

  /** An event before the first publishing, one while it is unpublished, and one after. */
  async function missOne(): Promise<string> {
    await fire(running);
    await publish();
    await workflow.n8n.unpublish();
    const { id } = await fire(running);
    await running.relay.clock.advance(24 * 3_600_000);
    return String(id);
  }

  it('start nothing when it is published again, which n8n logs', async () => {
    await missOne();
    await publish();
    expect(started(workflow.server)).toEqual([]);
    expect(log).toEqual([
      expect.stringMatching(
        /^warn: "Screen Advertising Trigger" of the workflow "Workflow" was unpublished for more than ten minutes\. Events since 2027-03-01T09:00:\S+ that do not start it: 1\. With 'Include Missed Events', publishing starts it with them\.$/,
      ),
    ]);
  });

  it('start it once each within ten minutes', async () => {
    await publish();
    await workflow.n8n.unpublish();
    const { id } = await fire(running);
    await running.relay.clock.advance(9 * 60_000);
    await publish();
    expect(started(workflow.server)).toEqual([id]);
    expect(log).toEqual([]);
  });

  it('start it once each with Include Missed Events', async () => {
    includeMissed();
    const missed = await missOne();
    await publish();
    expect(started(workflow.server)).toEqual([missed]);
    await publish();
    await workflow.n8n.unpublish();
    await publish();
    expect(started(workflow.server)).toEqual([missed]);
  });

  it('also when n8n was killed after it subscribed', async () => {
    includeMissed();
    const missed = await missOne();
    await workflow.n8n.killedWhilePublishing();
    await running.relay.clock.advance(1_000);
    await publish();
    expect(started(workflow.server)).toEqual([missed]);
  });
});

/** As from a backup: same instance ID, workflow, key and static data, but another WEBHOOK_URL. */
const restored = () => openWorkflow(running, { staticData: workflow.database.staticData });

const urlOf = ({ webhookUrl }: RelayWorkflow) => `${webhookUrl}/webhook/1/webhook`;
const targets = async () => (await live(running)).map(({ target_url }) => target_url).sort();

describe('a copy of an n8n, restored from a backup', () => {
  beforeEach(() => workflow.n8n.publish());

  it('takes no event from the original: both get each', async () => {
    const copy = await restored();
    await copy.n8n.publish('init');
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await fire(running)).id);
    expect([started(workflow.server), started(copy.server)]).toEqual([ids, ids]);
    expect(log).toEqual([]);
  });

  it('is on its own with another connector key', async () => {
    const copy = await restored();
    await copy.n8n.publish('init');
    await copy.n8n.unpublish();
    const { connectorKey } = await running.relay.tokens.create(running.source, 'staging');
    connect({ connectorKey }, copy);
    log = [];
    await copy.n8n.publish();
    await workflow.n8n.unpublish();
    await workflow.n8n.publish();
    expect(await targets()).toEqual([urlOf(workflow), urlOf(copy)].sort());
    expect(log).toEqual([]);
  });
});

describe('an n8n that moved', () => {
  it('gets each event once, if its old address still leads to it', async () => {
    workflow.webhookUrl = (await openGate(workflow.server.url)).url;
    await workflow.n8n.publish('init');
    const before = urlOf(workflow);
    workflow.webhookUrl = new URL(workflow.server.url).origin;
    await workflow.n8n.publish('init');
    const { id } = await fire(running);
    expect(started(workflow.server)).toEqual([id]);
    expect(await targets()).toEqual([before, urlOf(workflow)].sort());
  });

  it('keeps both for five days, if nothing responds at its old address, and loses no event', async () => {
    const door = await openGate(workflow.server.url);
    workflow.webhookUrl = door.url;
    await workflow.n8n.publish('init');
    await door.shut();
    const { id } = await fire(running);
    const before = urlOf(workflow);
    workflow.webhookUrl = new URL(workflow.server.url).origin;
    await workflow.n8n.publish('init');
    expect(await targets()).toEqual([before, urlOf(workflow)].sort());
    await running.relay.clock.advance(60 * 60_000);
    expect(started(workflow.server)).toEqual([id]);
    for (let days = 0; days <= 5; days += 1) {
      await fire(running);
      await running.relay.clock.advance(24 * 3_600_000);
    }
    expect(await targets()).toEqual([urlOf(workflow)]);
    expect(started(workflow.server)).toHaveLength(7);
  });
});

const name = '"Screen Advertising Trigger" of the workflow "Workflow"';
const remedy =
  'Set WEBHOOK_URL of n8n to an https address that the relay can reach, such as that of a tunnel, or have the operator of the relay add the host to RELAY_ALLOW_TARGETS.';

/** What n8n shows when publishing, or listening for a test event, fails. */
async function refusal(
  publish = () => workflow.n8n.publish() as Promise<unknown>,
): Promise<string> {
  const shown = await publish().then(
    () => 'It was published.',
    (error: Error) => error.message,
  );
  const said = [shown, ...log].join();
  expect(said).not.toContain(wordThatEndsRetries);
  const { token, signingSecret } = running.key;
  for (const secret of [token, signingSecret]) expect(said).not.toContain(secret);
  return shown;
}

describe('while the relay is away', () => {
  let gate: Gate;
  beforeEach(async () => {
    gate = await openGate(running.url);
    connect({ baseUrl: gate.url });
  });
  const refused = () =>
    `No usable response from the relay: ${new URL(gate.url).host} refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.`;

  it('publishing fails with the reason, and works once it is back', async () => {
    await gate.shut();
    expect(await refusal()).toBe(`The workflow could not be subscribed at the relay. ${refused()}`);
    await gate.open();
    await workflow.n8n.publish();
    await expectOne();
  });

  it('unpublishing says in the log what is left, which the next publishing takes over', async () => {
    await workflow.n8n.publish();
    await gate.shut();
    await workflow.n8n.unpublish();
    expect(log).toEqual([
      `error: ${name} could not be unsubscribed from the relay. ${refused()} The relay keeps the subscription to ${workflow.webhookUrl}/webhook/1/webhook until deliveries have failed for five days. To end it now, switch it off at the relay, or publish and unpublish the workflow once the relay responds.`,
    ]);
    await gate.open();
    workflow.parameters = { ...workflow.parameters, events: ['campaign.paid'] };
    await workflow.n8n.publish();
    await expectOne(workflow, 'campaign.paid');
    await workflow.n8n.unpublish();
    expect(await live(running)).toEqual([]);
  });

  it('n8n starts with what it had, and no event is lost', async () => {
    await workflow.n8n.publish();
    const [before] = await live(running);
    await gate.shut();
    await workflow.n8n.publish('init');
    expect(log).toEqual([
      `warn: ${name} could not check its subscription at the relay and assumes it still exists. ${refused()} If no events arrive, publish the workflow again.`,
    ]);
    expect((await live(running))[0]).toEqual(before);
    await expectOne();
  });
});

describe('a webhook URL that the relay delivers nothing to', () => {
  it('is reported when publishing', async () => {
    workflow.webhookUrl = 'http://localhost:5678';
    expect(await refusal()).toBe(
      `The relay cannot deliver to http://localhost:5678/webhook/1/webhook: use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and localhost is not one of them. ${remedy}`,
    );
    expect(await live(running)).toEqual([]);
  });

  it('is reported when something else responds there', async () => {
    const { url } = await startActor([rawResponse(302)]);
    workflow.webhookUrl = new URL(url).origin;
    expect(await refusal()).toBe(
      `The relay cannot deliver to ${workflow.webhookUrl}/webhook/1/webhook: responded with status 302. ${remedy}`,
    );
  });

  it('is reported when the clocks of the two are an hour apart', async () => {
    let skewMs = 3_600_000;
    const { n8n } = await openWorkflow(running, {
      date: () => running.relay.clock.now() + skewMs,
    });
    const publish = () => n8n.publish();
    expect(await refusal(publish)).toContain('/webhook/1/webhook: responded with status 401.');
    skewMs = 0;
    expect(await refusal(publish)).toBe('It was published.');
  });

  it('is reported when a user wants to listen for a test event', async () => {
    const other = await openWorkflow(running, { testUrl: 'http://n8n.internal:5678' });
    expect(await refusal(() => other.n8n.listen())).toBe(
      `The relay cannot deliver to http://n8n.internal:5678/webhook/1/webhook: use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and n8n.internal is not one of them. ${remedy}`,
    );
    expect(await live(running)).toEqual([]);
  });
});

it('a workflow without an event, or without a credential, cannot be published, and says so', async () => {
  const { parameters } = workflow;
  workflow.parameters = { ...parameters, events: [] };
  expect(await refusal()).toBe("'Trigger On' is required");
  workflow.parameters = parameters;
  delete workflow.engine.credentials.screenAdvertisingRelayApi;
  expect(await refusal()).toBe(
    'Node does not have any credentials set for "screenAdvertisingRelayApi"',
  );
  expect(await live(running)).toEqual([]);
});

it('a subscription that the relay keeps switched off is reported when publishing', async () => {
  const body = { id: 'sub_1', target_url: 'https://n8n.example', events: ['coupon.redeemed'] };
  const off = { ...body, name: 'n8n', state: 'off', off_reason: 'failing' };
  const server = createServer((_, response) => response.end(JSON.stringify(off)));
  const { port, close } = await listen(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  connect({ baseUrl });
  expect(await refusal()).toBe(
    'The relay keeps the subscription switched off (failing), so no event would arrive. Ask the operator of the relay to switch it on, then publish again.',
  );
  await close();
});
