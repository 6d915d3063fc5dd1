import { expect, it } from '@jest/globals';
import { loadPackage } from '../n8n/n8n.ts';
import { read } from '../structure/project.ts';
import { definitionOf } from '../zapier/app/definition.ts';

/** Other bold words: parts of an editor, and emphasis. */
const others = {
  n8n: [
    'Add first step',
    ...['Allowed HTTP Request Domains', 'Binary', 'Community nodes', 'Execute step', 'From file'],
    ...['HTTP Request', 'Import', 'Install a community node', 'On Error: Continue', 'Overview'],
    ...['Predefined Credential Type', 'Settings', 'Triggers', 'View', '⋯'],
    ...['Directly from the service', 'Through a relay', 'production URL'],
    ...['Actions', 'Executions', 'Install', 'Publish', 'Production URL', 'Webhook URLs'],
    ...['Add Filter', 'Credential', 'On campaign paid'],
    // Of the sandbox's page, and of the n8n that `run n8n` opens.
    ...['Address', 'Coupons', 'Events', 'Fire', 'Register', 'Webhook addresses'],
    ...['Sandbox, signing secret', 'Welcome coupon for a referred user'],
  ],
  // The last one is a field that appears with a choice, under its title in the catalogue.
  Zapier: [
    'Screen Advertising',
    'Sign in',
    'Trigger:',
    'Action:',
    'The app.',
    'Credentials',
    'QR Code Text',
  ],
} as const;

const namesOf = {
  n8n: async () => namesIn(Object.values(await loadPackage()).map((parts) => [...parts.values()])),
  Zapier: async () => namesIn(await definitionOf('private')),
};

/** Every text that a platform shows as the name of something. */
function namesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    return ['displayName', 'name', 'action', 'label'].includes(key) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => namesIn(member, name));
}

it.each([
  ['docs/first-event-direct.md', 'n8n'],
  ['docs/n8n.md', 'n8n'],
  ['packages/n8n-nodes-screen-advertising/README.md', 'n8n'],
  ['docs/zapier.md', 'Zapier'],
] as const)('each label in %s exists in %s', async (page, platform) => {
  // In a README, a bold text that begins a list item may be its heading.
  const labels = [...read(page).matchAll(/(^ *(?:-|\d+\.) )?\*\*([^*\n]+)\*\*/gm)]
    .filter(([, bullet]) => bullet === undefined || page.startsWith('docs/'))
    .flatMap(([, , label = '']) => label.split(' → '));
  const known = new Set<string>([...(await namesOf[platform]()), ...others[platform]]);
  expect(labels.length).toBeGreaterThan(10);
  expect(labels.filter((label) => !known.has(label))).toEqual([]);
});
