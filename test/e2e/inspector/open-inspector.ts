import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { Page } from 'playwright-core';
import { type Browser, openChromium } from '../support/chromium.ts';

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export let browser: Browser;
export let page: Page;
/** A new one for each test. */
export let sandbox: Sandbox;
export let url: string;
/** Statuses for the next deliveries, first one first. Once they are used up, it is 200. */
export const statuses: number[] = [];

/** Opens the start page of a new sandbox before each test of a suite. */
export function openInspector(): void {
  const receiver = createServer((_request, response) =>
    response.writeHead(statuses.shift() ?? 200).end(),
  );
  const errors: string[] = [];

  before(async () => {
    browser = await openChromium();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    ({ port } = receiver.address() as AddressInfo);
    page = await browser.context.newPage();
    page.on('console', (message) => {
      // Chromium logs every error response, and these tests cause some on purpose.
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('http://127.0.0.1:')) errors.push(`asked for ${request.url()}`);
    });
  });

  beforeEach(async () => {
    await sandbox?.close();
    sandbox = createSandbox({ screens: 60, clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
    ({ url } = await sandbox.listen());
    await page.setViewportSize(desktop);
    await page.goto(url);
  });

  after(async () => {
    await sandbox.close();
    await browser.close();
    receiver.close();
    assert.deepEqual(errors, []);
  });
}

let port: number;
export const receiverUrl = () => `http://127.0.0.1:${port}/hook`;
export const open = (path: string) => page.goto(`${url}${path}`);
export const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
export const notice = (text: string) => page.getByRole('status').getByText(text).waitFor();
