import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startWorld, type World } from '../n8n/world.ts';
import { partner, scopesOf } from './open-recipe.ts';
import { readWorkflow } from './pages.ts';

const recipe = 'chat-assistant-for-sales';
const { nodes, connections } = readWorkflow(recipe);

let world: World;
beforeAll(async () => {
  const accesses = [{ ...partner, scopes: scopesOf(recipe) }] as const;
  const startAt = '2027-02-01T09:00:00Z';
  world = await startWorld({ accesses, clock: 'frozen', startAt });
});
beforeEach(() => world.sandbox.reset());
afterAll(() => world.stop());

/** What the model gets of a tool that it calls with these values. */
async function call(tool: string, said: Readonly<Record<string, string>>): Promise<IDataObject[]> {
  const { parameters } = nodes.find(({ name }) => name === tool) ?? {};
  const asked: string[] = [];
  const text = JSON.stringify(parameters).replace(
    /=\{\{ \$fromAI\('(\w+)'.*?\) \}\}/g,
    (_, key) => {
      asked.push(key);
      return said[key] ?? '';
    },
  );
  expect(asked).toEqual(Object.keys(said));
  const { error, output } = await world.engine.runNode({
    ...{ type: 'screenAdvertisingTool', name: tool },
    credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
    parameters: JSON.parse(text) as INodeParameters,
  });
  return error ? [{ error: error.message }] : output(tool).map(({ json }) => json);
}

const period = { from: '2027-03-01', to: '2027-03-14' };

describe('chat-assistant-for-sales', () => {
  it('gives its agent three tools, a model and a memory', () => {
    const parts = Object.entries(connections).map(([from, to]) => `${from}: ${Object.keys(to)}`);
    expect(parts).toEqual([
      'Chat Message: main',
      'Chat Model: ai_languageModel',
      'Memory: ai_memory',
      'Find Available Screens: ai_tool',
      'Look Up User: ai_tool',
      'Create Coupon: ai_tool',
    ]);
  });

  it('the agent gets the ten cheapest screens, and hears how many there are', async () => {
    const [note, ...screens] = await call('Find Available Screens', { ...period, city: 'Berlin' });
    expect(note).toEqual({
      notes: ["10 of 14 screens. Turn on 'Return All' to get all of them."],
    });
    expect(screens).toHaveLength(10);
    const prices = screens.map(({ total_price }) => Number(total_price));
    expect(prices).toEqual(prices.toSorted((one, other) => one - other));
  });

  it('the agent hears that a city is misspelled', async () => {
    expect(await call('Find Available Screens', { ...period, city: 'Berln' })).toEqual([
      { notes: ['No screen is in "Berln". Did you mean "Berlin"?'] },
    ]);
  });

  it('the agent gets the one coupon of a lead, with the discount of the workflow', async () => {
    const lead = { lead_email: 'lead@example.com' };
    const code = expect.stringMatching(/^CHAT-[2-9A-HJ-NP-Z]{10}$/);
    const discount = { discount_type: 'percent', discount_value: 10 };
    expect(await call('Create Coupon', lead)).toMatchObject([{ code, ...discount, created: true }]);
    expect(await call('Create Coupon', lead)).toMatchObject([
      {
        ...{ code, ...discount, created: false },
        coupon_note: 'Nothing was created: the lead had this coupon before. Its status is active.',
      },
    ]);
    expect(world.sandbox.coupons.list()).toHaveLength(1);
  });

  it('the agent hears what is wrong with an address', async () => {
    expect(await call('Create Coupon', { lead_email: 'nobody' })).toEqual([
      {
        error: `'Lead Email' must be an email address such as lead@example.com, not "nobody". Nothing was sent. Fix the field in this node, or the expression that fills it.`,
      },
    ]);
  });

  it('the agent hears whether a user exists', async () => {
    expect(await call('Look Up User', { email: 'nobody@example.com' })).toEqual([
      { email: 'nobody@example.com', exists: false, referred_by_you: false },
    ]);
  });
});
