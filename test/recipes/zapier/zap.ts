import type { Sandbox } from '@screen-advertising/sandbox';
import { openReceiver } from '../../support/receiver.ts';
import { downloaded } from '../../zapier/app/files.ts';
import { asRawRequest } from '../../zapier/app/raw-request.ts';
import { createZapierRunner, type RawRequest } from '../../zapier/app/runner.ts';
import { startZapierBackend } from '../../zapier/app/zapier-backend.ts';
import { readZapierError } from '../../zapier/app/zapier-error.ts';
import { type Automation, eventRuns, type Fields, type Outcome } from '../automation.ts';
import type { EventRoute } from '../event-route.ts';
import { openConnector } from './connector.ts';
import { deciding, passedBy } from './other-apps.ts';
import { type Outputs, readPage, type Step, stepsOf } from './walkthrough.ts';

const ownApp = 'Screen Advertising';

/** The Zap that a person builds from the page of the recipe, on Zapier's own core. */
export async function openZap(
  recipe: string,
  sandbox: Sandbox,
  baseUrl: string,
  route: EventRoute,
): Promise<Automation> {
  const [{ apiKey, signingSecret }] = sandbox.accesses;
  const { relay } = route;
  const backend = await startZapierBackend();
  const runner = createZapierRunner({
    baseUrl,
    event: backend.event,
    credentials: { apiKey },
    fields: relay
      ? { relay_base_url: relay.url, connector_key: relay.connectorKey }
      : { signing_secret: signingSecret },
  });
  await runner.connect();
  const connector = await openConnector(runner);
  const [first, ...steps] = stepsOf(readPage(recipe));
  if (!first) throw new Error(`The page of ${recipe} has no steps.`);
  const isDirect = first.app === ownApp && !relay;
  const trigger = isDirect ? { ...first, event: `${first.event} (Manual Setup)` } : first;

  /** A run that a filter or a halting error ends early has not failed. */
  async function run(started: Outputs): Promise<Outcome> {
    const outputs = [started];
    const handedOver: Fields[] = [];
    try {
      for (const step of steps) {
        const given = await perform(step, outputs, handedOver);
        if (!given) break;
        outputs.push(given);
      }
    } catch (error) {
      const { name, message } = readZapierError(error);
      if (name !== 'HaltedError') return { handedOver, failure: message };
    }
    const attached = handedOver.flatMap(({ Attachments }) => Attachments ?? []);
    if (attached.length === 0) return { handedOver };
    const files: File[] = [];
    for (const file of attached) files.push(await downloaded(runner, backend, file));
    return { handedOver, files };
  }

  async function perform(step: Step, earlier: readonly Outputs[], handedOver: Fields[]) {
    if (step.app === ownApp) return connector.step(step, earlier);
    const decide = deciding[`${step.app}: ${step.event}`];
    if (decide) return decide(step, earlier);
    handedOver.push(...passedBy(step, earlier));
    return new Map();
  }

  const events = eventRuns(sandbox, route, (add) =>
    openReceiver({ onDelivery: ({ headers, body }) => add(runsOf(asRawRequest(headers, body))) }),
  );

  /** One delivery starts at most one run. */
  async function runsOf(request: RawRequest): Promise<Outcome> {
    const [started] = await connector.trigger(trigger, request);
    return started ? run(started) : { handedOver: [] };
  }

  return {
    ...events,
    async close() {
      await events.close();
      await backend.close();
    },
    async start(rows: readonly Fields[] = []) {
      if (trigger.app !== 'Google Sheets') return run(new Map());
      const outcomes: Outcome[] = [];
      for (const [index, row] of rows.entries())
        outcomes.push(await run(new Map(Object.entries({ 'Row Number': index + 1, ...row }))));
      const failure = outcomes.find((outcome) => outcome.failure)?.failure;
      const handedOver = outcomes.flatMap((outcome) => outcome.handedOver);
      return { handedOver, ...(failure && { failure }) };
    },
  };
}
