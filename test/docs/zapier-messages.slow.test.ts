import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { messageRows, messagesPage } from './zapier-messages/page.ts';

it('the guide to the messages of Zapier is made from those of today: if not, run the script "docs"', async () => {
  expect(read('docs/zapier-messages.md')).toBe(messagesPage(await messageRows()));
});
