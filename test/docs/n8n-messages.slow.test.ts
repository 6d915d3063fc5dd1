import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { n8nMessagesPage } from './n8n-messages/page.ts';

it('the guide to the messages of the n8n nodes is made from those of today: if not, run the script "docs"', async () => {
  expect(read('docs/n8n-messages.md')).toBe(await n8nMessagesPage());
});
