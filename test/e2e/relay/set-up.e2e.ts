import { after, before, describe, it } from 'node:test';
import type { Relay } from '@screen-advertising/relay';
import { createSandbox } from '@screen-advertising/sandbox';
import type { Page } from 'playwright-core';
import { type Browser, openChromium } from '../support/chromium.ts';
import { fits } from '../support/page-checks.ts';
import { phone } from './open-page.ts';
import { openRelayWorld, type RelayWorld } from './open-relay.ts';
import { walkSetUp } from './walk-set-up.ts';

describe('the set-up of a relay, by keyboard, on a phone', () => {
  let world: RelayWorld;
  let browser: Browser;
  let relay: Relay;
  let url: string;
  let page: Page;

  before(async () => {
    world = await openRelayWorld();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });

  it('leads from the link to the first event', async (t) => {
    ({ relay, url } = await world.openEmpty());
    page = await browser.context.newPage();
    await page.setViewportSize(phone);
    const walk = walkSetUp(page, url);
    await walk.signIn(await relay.signInLink(url));

    await walk.failToFillIn('Name', 'My Access');
    await fits(page);
    await page.goto(`${url}/operator/set-up`);
    await walk.fillIn('Name', 'main');
    await walk.isDone('Name the source');
    await page.getByText(`${url}/in/main`).waitFor();

    const sandbox = createSandbox();
    t.after(() => sandbox.close());
    await sandbox.listen();
    const [{ signingSecret }] = sandbox.accesses;
    sandbox.webhooks.add({ url: `${url}/in/main` });

    // A wrong secret, then away and back.
    await walk.enterSecret('not-the-secret');
    await walk.isDone('Paste the signing secret');
    await sandbox.fire('campaign.paid');
    await page.goto(url);
    await page.goto(`${url}/operator/set-up`);
    await page.getByText('Waiting for the first event.').waitFor();
    await walk.unfold('Replace the signing secret');
    await walk.enterSecret(signingSecret);
    await page.getByText('Signing secret saved.').waitFor();

    await walk.subscribe(await walk.createKey(), {
      target_url: `${world.elsewhere}/n8n`,
      events: ['campaign.paid'],
      name: 'Invoices',
    });

    await sandbox.fire('campaign.paid');
    await walk.openFirstEvent('campaign.paid');
  });
});
