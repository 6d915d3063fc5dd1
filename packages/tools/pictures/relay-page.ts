/** Takes the pictures of the operator's page for the docs. */

import { deliverEvent } from '../../../test/e2e/relay/lively-relay.ts';
import { openRelayWorld } from '../../../test/e2e/relay/open-relay.ts';
import { openChromium } from '../../../test/e2e/support/chromium.ts';
import { takePicture } from './picture.ts';

const usual = { viewport: { width: 1280, height: 760 }, colorScheme: 'light' } as const;
// Wide enough that the row of pages ends between two of them.
const phone = { width: 430, height: 932 };

const pictures = [
  { ...usual, name: 'overview', path: '/', last: '.plot' },
  {
    ...usual,
    name: 'dead',
    path: '/operator/deliveries?state=dead',
    colorScheme: 'dark',
    last: '.records',
  },
  { ...usual, name: 'subscriptions', path: '/operator/subscriptions', last: '.scroll' },
  {
    ...usual,
    name: 'event',
    path: '/operator/events?search=BVCC-ANNA',
    follow: 'td a',
    last: 'pre',
  },
  {
    ...usual,
    name: 'phone',
    path: '/operator/deliveries?state=pending',
    viewport: phone,
    last: '.records',
  },
] as const;

/** Events before the ones that the lists show. */
const lastHours = [1, 0, 0, 2, 3, 5, 4, 6, 3, 2, 1, 0, 0, 1, 0, 2, 4, 7, 5, 6];

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
  for (const { name, path, ...picture } of pictures) {
    await takePicture(page, { ...picture, name: `relay/${name}`, url: `${url}${path}` });
  }
} finally {
  await browser.close();
  await world.close();
}
