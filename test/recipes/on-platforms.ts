import { afterEach, describe } from '@jest/globals';
import type { Scope } from '@screen-advertising/core';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import type { Automation, Fields } from './automation.ts';
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

export interface Opened {
  readonly sandbox: Sandbox;
  readonly recipe: Automation;
  /** A coupon that was there before the recipe ran. */
  giveCoupon(fields: Fields): Promise<void>;
}

/** Opens the recipe on a service of its own, which answers in the variants given. */
type OpenRecipe = (variants?: SandboxOptions['variants']) => Promise<Opened>;

/**
 * Tests of a recipe that hold on both platforms, and for one that events start also on both ways to
 * receive them; each test has a service of its own. The access
 * has the scopes that the recipe's page asks for and no others.
 */
export function onPlatforms(
  recipe: string,
  define: (open: OpenRecipe, platform: Platform) => void,
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

    describe(`by ${by}`, () => define(open, platform));
  });
}

const [partner] = createSandbox().accesses;

function routesOf(recipe: string): Route[] {
  const [trigger] = stepsOf(readPage(recipe));
  const isByEvent = trigger?.app === 'Screen Advertising';
  return isByEvent ? (Object.keys(routes) as Route[]) : ['directly'];
}

function scopesOf(recipe: string): Scope[] {
  const [sentence = ''] = /^The access needs .*$/m.exec(readPage(recipe)) ?? [];
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope as Scope);
}

/** By the same partner, before somebody took the other scopes away. */
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
