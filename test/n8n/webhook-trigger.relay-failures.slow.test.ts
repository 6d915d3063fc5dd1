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
let gate: Gate;
let workflow: RelayWorkflow;
/** What the trigger wrote to n8n's log. */
let log: string[];
let skewMs = 0;

beforeAll(async () => {
  shared = await start();
});
beforeEach(async () => {
  log = [];
  for (const level of ['error', 'warn'] as const) {
    jest.spyOn(n8nLogger, level).mockImplementation((message) => {
      log.push(`${level}: ${message}`);
    });
  }
  running = await ownSource(shared);
  gate = await openGate(running.url);
  workflow = await openWorkflow(running, {
    credential: { baseUrl: gate.url },
    date: () => running.relay.clock.now() + skewMs,
  });
});

const name = '"Screen Advertising Trigger" of the workflow "Workflow"';
const refused = () =>
  `No usable response from the relay: ${new URL(gate.url).host} refused the connection (ECONNREFUSED). Check the base URL and that the service is running. If n8n runs in a container, use host.docker.internal instead of this host.`;
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

async function expectOne(type = 'coupon.redeemed'): Promise<void> {
  expect(await live(running)).toHaveLength(1);
  const before = started(workflow.server);
  const { id } = await fire(running, type);
  expect(started(workflow.server)).toEqual([...before, id]);
}

describe('while the relay is away', () => {
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
    await expectOne('campaign.paid');
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

describe('while n8n is away', () => {
  it('no event is lost, although it moved to another address before the event arrived', async () => {
    const door = await openGate(workflow.server.url);
    workflow.webhookUrl = door.url;
    await workflow.n8n.publish();
    await door.shut();
    const { id } = await fire(running);
    workflow.webhookUrl = new URL(workflow.server.url).origin;
    await workflow.n8n.publish('init');
    await running.relay.clock.advance(60 * 60_000);
    expect(started(workflow.server)).toEqual([id]);
    // The address that it left may come back, so the relay delivers there for five days.
    expect(await live(running)).toHaveLength(2);
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
    skewMs = 3_600_000;
    expect(await refusal()).toContain('/webhook/1/webhook: responded with status 401.');
    skewMs = 0;
    expect(await refusal()).toBe('It was published.');
  });

  it('is reported when a user wants to listen for a test event', async () => {
    const other = await openWorkflow(running, { testUrl: 'http://n8n.internal:5678' });
    expect(await refusal(() => other.n8n.listen())).toBe(
      `The relay cannot deliver to http://n8n.internal:5678/webhook/1/webhook: use https; http works only for targets in RELAY_ALLOW_TARGETS, which the relay reads from its environment when it starts, and n8n.internal is not one of them. ${remedy}`,
    );
    expect(await live(running)).toEqual([]);
  });
});

describe('a workflow that cannot be published gets a reason', () => {
  it.each<[what: string, change: (of: RelayWorkflow) => void, message: string]>([
    [
      'no event',
      (of) => {
        of.parameters = { ...of.parameters, events: [] };
      },
      "'Trigger On' is required",
    ],
    [
      'no credential',
      (of) => {
        delete of.engine.credentials.screenAdvertisingRelayApi;
      },
      'Node does not have any credentials set for "screenAdvertisingRelayApi"',
    ],
  ])('%s', async (_what, change, message) => {
    change(workflow);
    expect(await refusal()).toBe(message);
    expect(await live(running)).toEqual([]);
  });
});

it('a subscription that the relay keeps switched off is reported when publishing', async () => {
  const body = { id: 'sub_1', target_url: 'https://n8n.example', events: ['coupon.redeemed'] };
  const off = { ...body, name: 'n8n', state: 'off', off_reason: 'failing' };
  const server = createServer((_, response) => response.end(JSON.stringify(off)));
  const { port, close } = await listen(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const { n8n } = await openWorkflow(running, { credential: { baseUrl } });
  expect(await refusal(() => n8n.publish())).toBe(
    'The relay keeps the subscription switched off (failing), so no event would arrive. Ask the operator of the relay to switch it on, then publish again.',
  );
  await close();
});
