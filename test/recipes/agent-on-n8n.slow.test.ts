import { expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useWorld } from '../n8n/world.ts';
import { readWorkflow } from './pages.ts';

const { nodes, connections } = readWorkflow('chat-assistant-for-sales');
const world = useWorld({ clock: 'frozen', startAt: '2027-02-01T09:00:00Z' });

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
  const { output } = await world.engine.runNode({
    ...{ type: 'screenAdvertisingTool', name: tool },
    credentials: { screenAdvertisingApi: { id: 'screenAdvertisingApi', name: 'Account' } },
    parameters: JSON.parse(text) as INodeParameters,
  });
  return output(tool).map(({ json }) => json);
}

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
  const period = { from: '2027-03-01', to: '2027-03-14' };
  const [note, ...screens] = await call('Find Available Screens', { ...period, city: 'Berlin' });
  expect(note).toEqual({
    notes: ["10 of 14 screens. Turn on 'Return All' to get all of them."],
  });
  expect(screens).toHaveLength(10);
  const prices = screens.map(({ total_price }) => Number(total_price));
  expect(prices).toEqual(prices.toSorted((one, other) => one - other));
});

it('the agent gets the one coupon of a lead, with the discount of the workflow', async () => {
  const lead = { lead_email: 'lead@example.com' };
  const code = expect.stringMatching(/^CHAT-[2-9A-HJ-NP-Z]{10}$/);
  const discount = { discount_type: 'percent', discount_value: 10 };
  expect(await call('Create Coupon', lead)).toMatchObject([{ code, ...discount, created: true }]);
  expect(await call('Create Coupon', lead)).toMatchObject([{ code, ...discount, created: false }]);
});

it('the agent hears whether a user exists', async () => {
  expect(await call('Look Up User', { email: 'nobody@example.com' })).toEqual([
    { email: 'nobody@example.com', exists: false, referred_by_you: false },
  ]);
});
