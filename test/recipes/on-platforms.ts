import { afterEach, describe } from '@jest/globals';
import type { Scope } from '@screen-advertising/core';
import { relayProblem } from '@screen-advertising/core/webhooks';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import type { Automation, Fields, Outcome } from './automation.ts';
import { type EventRoute, type Route, routes } from './event-route.ts';
import { openWorkflow } from './n8n-workflow.ts';
import { readPage, stepsOf } from './zapier/walkthrough.ts';
import { openZap } from './zapier/zap.ts';

type OpenOn = (
  recipe: string,
  sandbox: Sandbox,
  baseUrl: string,
  route: EventRoute,
) => Promise<Automation>;

const platforms = {
  n8n: { by: 'its workflow file', openRecipe: openWorkflow },
  Zapier: { by: 'the steps of its page', openRecipe: openZap },
} as const satisfies Record<string, { by: string; openRecipe: OpenOn }>;

type Platform = keyof typeof platforms;

interface Opened {
  readonly sandbox: Sandbox;
  readonly recipe: Automation;
  /** Creates a coupon that exists before the recipe runs. */
  giveCoupon(fields: Fields): Promise<void>;
}

/** Opens the recipe on a separate service, which responds in the given variants. */
type OpenRecipe = (variants?: SandboxOptions['variants']) => Promise<Opened>;

/**
 * The runs of an event that is delivered again, after its first runs. The steps of a Zap skip it.
 * n8n drops the service's duplicate, but runs a replay that a person asked the relay for.
 */
type Again = (first: readonly Outcome[]) => readonly Outcome[];

/**
 * Defines the tests of a recipe for both platforms. One recipe that events start is tested on
 * both routes for events. Each test has a separate service, whose access has exactly the scopes
 * that the recipe's page asks for.
 */
export function onPlatforms(
  recipe: string,
  define: (open: OpenRecipe, platform: Platform, again: Again) => void,
): void {
  const cases = (Object.keys(platforms) as Platform[]).flatMap((platform) =>
    routesOf(recipe).map((route) => [platform, route] as const),
  );
  describe.each(cases)(`${recipe} on %s, %s`, (platform, route) => {
    const { by, openRecipe } = platforms[platform];
    const closing: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });

    async function open(variants: SandboxOptions['variants'] = {}): Promise<Opened> {
      const sandbox = createSandbox({
        accesses: [{ ...partner, scopes: scopesOf(recipe) }],
        variants,
      });
      closing.unshift(() => sandbox.close());
      const { baseUrl } = await sandbox.listen();
      const opened = await openRecipe(recipe, sandbox, baseUrl, await routes[route](sandbox));
      closing.unshift(() => opened.close());
      return {
        sandbox,
        recipe: opened,
        giveCoupon: (fields) => createCoupon(sandbox, fields),
      };
    }

    const again: Again = (first) => {
      if (platform === 'Zapier') return [{ handedOver: [] }];
      return route === 'directly' ? [] : first;
    };
    describe(`by ${by}`, () => define(open, platform, again));
  });
}

const [partner] = createSandbox().accesses;

/** The triggers' own tests show that both routes start all recipes alike. */
const relayed = 'welcome-coupon-for-referred-user';

function routesOf(recipe: string): Route[] {
  const [trigger] = stepsOf(readPage(recipe));
  if (trigger?.event === relayProblem.title) return ['through a relay'];
  return recipe === relayed ? (Object.keys(routes) as Route[]) : ['directly'];
}

function scopesOf(recipe: string): Scope[] {
  const [sentence = ''] = /^Needs the scopes? .*$/m.exec(readPage(recipe)) ?? [];
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope as Scope);
}

/** Created by the same partner, as if the access had lost its other scopes afterwards. */
async function createCoupon(sandbox: Sandbox, fields: Fields): Promise<void> {
  const before = createSandbox({ accesses: [partner] });
  before.restore(sandbox.snapshot());
  const { status } = await before.fetch('http://sandbox.example/api/v1/coupons', {
    method: 'POST',
    headers: { authorization: `Bearer ${partner.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ discount_type: 'percent', discount_value: 5, ...fields }),
  });
  if (status !== 201) throw new Error(`The coupon was not created (status ${status}).`);
  sandbox.restore(before.snapshot());
  await before.close();
}
