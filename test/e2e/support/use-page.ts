import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browser, openChromium } from './chromium.ts';

const desktop = { width: 1280, height: 900 };
export const phone = { width: 360, height: 740 };

/** Each size and each color scheme once. */
export const appearances = [
  { size: 'desktop', viewport: desktop, colorScheme: 'dark' },
  { size: 'phone', viewport: phone, colorScheme: 'light' },
] as const;

/** A page of Chromium for the tests of a file, which must log no error and ask no other machine. */
export function usePage() {
  const troubles: string[] = [];
  const opened: { browser?: Browser; page?: Page } = {};

  before(async () => {
    const browser = await openChromium();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await browser.context.newPage();
    page.on('console', (message) => {
      // Chromium logs every error response, and these tests cause some on purpose.
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('http://127.0.0.1:')) {
        troubles.push(`asked for ${request.url()}`);
      }
    });
    Object.assign(opened, { browser, page });
  });

  beforeEach(async () => {
    await get('browser').context.clearCookies();
    await get('page').setViewportSize(desktop);
  });

  after(async () => {
    await opened.browser?.close();
    assert.deepEqual(troubles, []);
  });

  function get<Name extends keyof typeof opened>(name: Name) {
    const found = opened[name];
    if (!found) throw new Error(`The ${name} is there only while the tests run.`);
    return found;
  }

  return {
    get page() {
      return get('page');
    },
    /** Where nothing was clicked yet, so that the first Tab starts at the top. */
    async untouched(): Promise<Page> {
      const page = await get('browser').context.newPage();
      await page.setViewportSize(phone);
      return page;
    },
    async withoutScripts(use: (page: Page) => Promise<void>): Promise<void> {
      const context = await get('browser')
        .context.browser()
        ?.newContext({ javaScriptEnabled: false });
      assert.ok(context);
      await use(await context.newPage());
      await context.close();
    },
    press: (name: string) => get('page').getByRole('button', { name, exact: true }).click(),
    notice: (text: string) => get('page').getByRole('status').getByText(text).waitFor(),
    async refreshes(count = 1): Promise<void> {
      const page = get('page');
      for (let done = 0; done < count; done += 1) {
        await page.waitForResponse((response) => response.url() === page.url());
      }
    },
    selected: () => get('page').evaluate(() => String(getSelection()).trim()),
  };
}
