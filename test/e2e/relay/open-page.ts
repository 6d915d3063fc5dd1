import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import type { Relay } from '@screen-advertising/relay';
import type { Page } from 'playwright-core';
import { type Browser, openChromium } from '../support/chromium.ts';
import { showsTitle } from '../support/page-checks.ts';
import { openRelayWorld, type RelayWorld } from './open-relay.ts';

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export let browser: Browser;
export let page: Page;
export let world: RelayWorld;
/** A new one for each test. */
export let relay: Relay;
export let url: string;

/** Opens a relay with records of every kind before each test of a file. */
export function openPage(): void {
  const troubles: string[] = [];

  before(async () => {
    world = await openRelayWorld();
    browser = await openChromium();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = await browser.context.newPage();
    page.on('console', (message) => {
      // Chromium's own note on every response that is an error; some are wanted here.
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) troubles.push(message.text());
    });
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('http://127.0.0.1:')) {
        troubles.push(`asked for ${request.url()}`);
      }
    });
  });

  beforeEach(async () => {
    await relay?.close();
    ({ relay, url } = await world.open());
    await browser.context.clearCookies();
    await page.setViewportSize(desktop);
  });

  after(async () => {
    await browser.close();
    await world.close();
    assert.deepEqual(troubles, []);
  });
}

export const open = (path: string) => page.goto(`${url}${path}`);
export const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
export const notice = (text: string) => page.getByRole('status').getByText(text).waitFor();

export async function signIn(): Promise<void> {
  await page.goto(await relay.signInLink(url));
  await press('Sign in');
  await showsTitle(page, 'Overview');
}
