import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoadedPackage, loadPackage } from '../n8n/n8n.ts';
import { pagesFolder, readPage, readWorkflow, workflowFolder } from './pages.ts';

const named = (folder: string, ending: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => path.basename(file, ending));
const recipes = named(workflowFolder, '.json');
/** What the operations of the recipes need. */
const scopes: Readonly<Record<string, string>> = {
  'coupon.create': 'coupons:write',
  'coupon.get': 'coupons:read',
  'landingLink.create': 'links:write',
  'screen.findAvailable': 'screens:read',
  'user.lookUp': 'users:read',
};

/** Zapier has no workflows with an agent of this kind. */
const ofAgent = 'chat-assistant-for-sales';

/** What the page of n8n says about a workflow. */
function n8nSteps(name: string): string {
  const sections = readPage('n8n').split(/^## /m);
  return sections.find((section) => section.startsWith(`${name}\n`)) ?? '';
}

let nodes: LoadedPackage['nodes'];

beforeAll(async () => {
  ({ nodes } = await loadPackage());
});

it('every workflow file has a page, and every page but the lists of them a workflow file', () => {
  expect(recipes).toHaveLength(10);
  const lists = ['README', 'n8n', 'zapier'];
  expect(named(pagesFolder, '.md').filter((page) => !lists.includes(page))).toEqual(recipes);
});

it.each([
  ['the list of pages', `${pagesFolder}/README.md`, (recipe: string) => `](${recipe}.md)`],
  ['the page of n8n', `${pagesFolder}/n8n.md`, (recipe: string) => `](${recipe}.md)`],
  [
    'the page of Zapier',
    `${pagesFolder}/zapier.md`,
    (recipe: string) => (recipe === ofAgent ? '' : `](${recipe}.md#in-zapier)`),
  ],
  [
    'the README of the package',
    `${workflowFolder}/../README.md`,
    (recipe: string) => `/${recipe}.json)`,
  ],
])('%s names them all', (_name, file, link) => {
  const text = readFileSync(file, 'utf8');
  expect(recipes.filter((recipe) => !text.includes(link(recipe)))).toEqual([]);
});

it('the polling trigger has the choices that the page of n8n names, under the same label', () => {
  const choices = recipes
    .flatMap((recipe) => n8nSteps(readWorkflow(recipe).name).split('\n'))
    .filter((line) => line.includes('**Screen Advertising Polling Trigger**'))
    .flatMap((line) => [...line.matchAll(/with \*\*([^*]+)\*\* under \*\*([^*]+)\*\*/g)]);
  expect(choices.length).toBeGreaterThan(0);
  const { properties = [] } = nodes.get('screenAdvertisingPollingTrigger')?.description ?? {};
  for (const [, option, label] of choices) {
    const field = properties.find(({ displayName }) => displayName === label);
    expect(field?.options?.map(({ name }) => name)).toContain(option);
  }
});

describe.each(recipes)('%s', (recipe) => {
  const { name, nodes: all, connections } = readWorkflow(recipe);
  const notes = all.filter(({ type }) => type.endsWith('.stickyNote'));
  const working = all.filter((node) => !notes.includes(node));
  const own = all.filter(({ type }) => type.startsWith('n8n-nodes-screen-advertising.'));
  const nameOf = (type: string) => type.replace(/^.*\.|Tool$/g, '');

  it('has the same name on its page and on that of n8n, which links the file', () => {
    expect(readPage(recipe)).toMatch(new RegExp(`^# ${name}\n`));
    expect(n8nSteps(name)).toContain(`/examples/${recipe}.json)`);
  });

  it('names nodes of the workflow on the page of n8n', () => {
    const mentioned = [...n8nSteps(name).matchAll(/(?:in|after|of) \*\*([^*]+)\*\*/g)].map(
      ([, node]) => node,
    );
    expect(mentioned.length).toBeGreaterThan(0);
    expect(working.map((node) => node.name)).toEqual(expect.arrayContaining(mentioned));
  });

  // The end-to-end tests run the others on a real n8n.
  it('holds no credential, and of the package only nodes, versions and fields that it has', () => {
    expect(working.length).toBeGreaterThan(1);
    const stored = all.flatMap(({ credentials = {} }) => Object.values(credentials));
    expect(stored.filter(({ id }) => id !== '')).toEqual([]);
    for (const { type, typeVersion, parameters } of own) {
      const { properties, version } = nodes.get(nameOf(type))?.description ?? {};
      expect([version].flat()).toContain(typeVersion);
      expect(properties?.map((property) => property.name)).toEqual(
        expect.arrayContaining(Object.keys(parameters)),
      );
    }
  });

  it('needs the scopes that its page names', () => {
    const [sentence = ''] = /^Needs the scopes? .*$/m.exec(readPage(recipe)) ?? [];
    const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope);
    const needed = own
      .filter(({ type }) => nameOf(type) === 'screenAdvertising')
      .map(({ parameters: { resource, operation } }) => scopes[`${resource}.${operation}`]);
    expect(new Set(named)).toEqual(new Set(needed));
  });

  it('begins with its trigger, which reaches all nodes, and shows where to continue', () => {
    const reached = new Set([working[0]?.name]);
    for (const from of reached) {
      const targets = connections[from ?? '']?.main?.flatMap((output) => output ?? []) ?? [];
      for (const { node } of targets) reached.add(node);
      // An agent reaches its tools and its model: their links lead to it.
      for (const [part, { main, ...links }] of Object.entries(connections)) {
        const users = Object.values(links).flatMap((outputs) => outputs.flat());
        if (users.some((user) => user?.node === from)) reached.add(part);
      }
    }
    expect([...reached].sort()).toEqual(working.map((node) => node.name).sort());
    expect(notes.length).toBeGreaterThan(1);
  });
});
