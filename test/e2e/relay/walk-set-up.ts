import type { Page } from 'playwright-core';
import { follow, tabTo } from '../support/keyboard.ts';
import { fits, showsTitle } from '../support/page-checks.ts';

/** What a person does on the set-up page, by keyboard. */
export function walkSetUp(page: Page) {
  const press = async (name: string) => {
    await tabTo(page, name);
    await follow(page);
  };
  const write = async (label: string, text: string) => {
    await tabTo(page, label);
    await page.keyboard.type(text);
  };
  const fillIn = async (label: string, text: string) => {
    await write(label, text);
    await follow(page);
  };
  const isDone = (title: string) =>
    page.locator('.steps li').filter({ hasText: title }).locator('h2 .good').waitFor();
  return {
    /** Opens a part of the page that is closed at first. */
    async unfold(name: string) {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    },
    fillIn,
    /** Sees the browser refuse a text before it is sent. */
    async failToFillIn(label: string, text: string) {
      await write(label, text);
      await page.keyboard.press('Enter');
      await page.locator('input:focus:invalid').waitFor();
    },
    isDone,
    async signIn(link: string) {
      await page.goto(link);
      await press('Sign in');
      await showsTitle(page, 'Set up');
    },
    enterSecret: (secret: string) => fillIn('Signing secret from the reply', secret),
    /** Gives the connector key. */
    async createKey(): Promise<string> {
      await fillIn('Name', 'my-n8n');
      const key = await page.locator('[data-copy^="rly_"]').first().getAttribute('data-copy');
      await fits(page);
      await press('Back');
      await isDone('Create a connector key');
      return key ?? '';
    },
    async openFirstEvent(type: string) {
      await isDone('See the first event');
      await press(type);
      await showsTitle(page, type);
    },
  };
}
