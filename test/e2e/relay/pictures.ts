/** Takes the pictures of the operator's page for the docs. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openChromium } from '../support/chromium.ts';
import { images } from '../support/paths.ts';
import { takePicture } from '../support/picture.ts';
import { openRelayWorld } from './open-relay.ts';

const desktop = { width: 1280, height: 760 };
// Wide enough that the row of pages ends between two of them.
const phone = { width: 430, height: 932 };

const pictures = [
  { name: 'overview', path: '/', viewport: desktop, colorScheme: 'light', last: '.scroll' },
  {
    name: 'dead',
    path: '/operator/dead',
    viewport: desktop,
    colorScheme: 'dark',
    last: '.records',
  },
  {
    name: 'subscriptions',
    path: '/operator/subscriptions',
    viewport: desktop,
    colorScheme: 'light',
    last: '.scroll',
  },
  {
    name: 'phone',
    path: '/operator/deliveries',
    viewport: phone,
    colorScheme: 'light',
    last: '.records',
  },
] as const;

const folder = path.join(images, 'relay');
mkdirSync(folder, { recursive: true });
const world = await openRelayWorld(9000);
const browser = await openChromium();
try {
  // The port that the command line takes, so that the pictures show what readers see.
  const { relay, url } = await world.open(8788);
  const page = await browser.context.newPage();
  await page.goto(await relay.signInLink(url));
  await page.getByRole('button', { name: 'Sign in' }).click();
  for (const { name, path: address, viewport, colorScheme, last } of pictures) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${address}`, { waitUntil: 'networkidle' });
    const delivery = page.locator('.records summary').first();
    if (await delivery.isVisible()) await delivery.click();
    const to = page.locator(last).last();
    await takePicture(page, path.join(folder, `${name}.png`), { to });
  }
} finally {
  await browser.close();
  await world.close();
}
