/** Takes the inspector's pictures for the guides. */
import { createServer } from 'node:http';
import path from 'node:path';
import { createSandbox } from '@screen-advertising/sandbox';
import type { Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { images } from '../support/paths.ts';
import { takePicture } from '../support/picture.ts';
import { livelySandbox } from './lively-sandbox.ts';

const desktop = { width: 1280, height: 860 };

const pictures = [
  {
    name: 'inspector-start',
    path: '/',
    viewport: desktop,
    colorScheme: 'light',
    part: (page: Page) => ({ to: page.locator('.cards').first() }),
  },
  {
    name: 'inspector-screens',
    path: '/inspector/screens',
    viewport: desktop,
    colorScheme: 'light',
    part: (page: Page) => ({ to: page.locator('.screen').nth(3) }),
  },
  {
    name: 'inspector-near',
    path: '/inspector/screens?near=52.5200%2C+13.4050&radius_km=4',
    viewport: desktop,
    colorScheme: 'light',
    part: (page: Page) => ({ to: page.locator('.fields') }),
  },
  {
    name: 'inspector-events',
    path: '/inspector/events',
    viewport: desktop,
    colorScheme: 'dark',
    part: (page: Page) => ({
      from: page.getByRole('heading', { name: 'Deliveries' }),
      to: page.locator('footer'),
    }),
  },
] as const;

const sandbox = createSandbox({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
const receiver = createServer((_request, response) => response.end());
const browser = await openChromium();
try {
  // The port that the command line takes, so that the pictures show what readers see.
  const { url } = await sandbox.listen(8787);
  await new Promise<void>((resolve) => receiver.listen(9000, '127.0.0.1', resolve));
  await livelySandbox(sandbox, 'http://127.0.0.1:9000/webhook');
  const page = await browser.context.newPage();
  for (const { name, path: address, viewport, colorScheme, part } of pictures) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${address}`, { waitUntil: 'networkidle' });
    const delivery = page.locator('.records summary').first();
    if (await delivery.isVisible()) await delivery.click();
    await takePicture(page, path.join(images, `${name}.png`), part(page));
  }
} finally {
  await browser.close();
  await sandbox.close();
  receiver.close();
}
