/** Takes the pictures of the operator's page for the docs. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openChromium } from '../support/chromium.ts';
import { images } from '../support/paths.ts';
import { takePicture } from '../support/picture.ts';
import { deliverEvent } from './lively-relay.ts';
import { openRelayWorld } from './open-relay.ts';

const desktop = { width: 1280, height: 760 };
// Wide enough that the row of pages ends between two of them.
const phone = { width: 430, height: 932 };

const pictures = [
  { name: 'overview', path: '/', viewport: desktop, colorScheme: 'light', last: '.plot' },
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
    name: 'event',
    path: '/operator/events?search=BVCC-ANNA',
    viewport: desktop,
    colorScheme: 'light',
    last: 'pre',
  },
  {
    name: 'phone',
    path: '/operator/deliveries?state=pending',
    viewport: phone,
    colorScheme: 'light',
    last: '.records',
  },
] as const;

/** Events before the ones that the lists show. */
const lastHours = [1, 0, 0, 2, 3, 5, 4, 6, 3, 2, 1, 0, 0, 1, 0, 2, 4, 7, 5, 6];

const folder = path.join(images, 'relay');
mkdirSync(folder, { recursive: true });
const world = await openRelayWorld(9000);
const browser = await openChromium();
try {
  // The port that the command line takes, so that the pictures show what readers see.
  const { relay, url } = await world.open(8788, lastHours);
  await deliverEvent(relay, url, 'evt_0005', 'campaign_request.created', {
    code: 'BVCC-ANNA',
    email: 'anna@example.com',
  });
  const page = await browser.context.newPage();
  await page.goto(await relay.signInLink(url));
  await page.getByRole('button', { name: 'Sign in' }).click();
  for (const { name, path: address, viewport, colorScheme, last } of pictures) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${address}`, { waitUntil: 'networkidle' });
    if (name === 'event') await page.locator('td a').first().click();
    const delivery = page.locator('.records summary').first();
    if (await delivery.isVisible()) await delivery.click();
    const to = page.locator(last).last();
    await takePicture(page, path.join(folder, `${name}.png`), { to });
  }
} finally {
  await browser.close();
  await world.close();
}
