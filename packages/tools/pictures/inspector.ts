/** Takes the inspector's pictures for the guides. */
import { createServer } from 'node:http';
import { createSandbox } from '@screen-advertising/sandbox';
import { livelySandbox } from '../../../test/e2e/inspector/lively-sandbox.ts';
import { openChromium } from '../../../test/e2e/support/chromium.ts';
import { urlOf } from '../../../test/support/server-url.ts';
import { takePicture } from './picture.ts';

const usual = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } as const;

const sandbox = createSandbox({ clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
const receiver = createServer((_request, response) => response.end());
const browser = await openChromium();
try {
  // The ports that the command line takes, so that the pictures show what readers see.
  const { url } = await sandbox.listen(8787);
  await livelySandbox(sandbox, `${await urlOf(receiver, 9000)}/webhook`);
  const screens = `${url}/inspector/screens`;
  const near = `${screens}?near=52.5200%2C+13.4050&radius_km=4`;
  const page = await browser.context.newPage();
  for (const picture of [
    { ...usual, name: 'inspector-start', url, last: '.cards >> nth=0' },
    { ...usual, name: 'inspector-screens', url: screens, last: '.screen >> nth=3' },
    { ...usual, name: 'inspector-near', url: near, last: '.fields' },
    {
      ...usual,
      name: 'inspector-events',
      url: `${url}/inspector/events`,
      first: () => page.getByRole('heading', { name: 'Deliveries', level: 2 }),
      last: 'footer',
    },
  ] as const) {
    await takePicture(page, picture);
  }
} finally {
  await browser.close();
  await sandbox.close();
  receiver.close();
}
