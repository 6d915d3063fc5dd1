import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { freePort } from '../../support/free-port.ts';
import { phone } from '../relay/open-page.ts';
import { walkSetUp } from '../relay/walk-set-up.ts';
import { type Caddy, startCaddy } from '../support/caddy.ts';
import { type Browser, openChromium } from '../support/chromium.ts';
import { whyNoContainers } from '../support/containers.ts';
import { waitFor } from '../support/wait.ts';
import { openRelayImage, openSubscriber, type RelayImage } from './relay-image.ts';

const type = 'coupon.redeemed';
const trusted = tls.getCACertificates();

describe('the image of the relay behind Caddy', { skip: whyNoContainers ?? false }, () => {
  let image: RelayImage;
  let caddy: Caddy;
  let browser: Browser;
  let sandbox: Sandbox;
  let subscriber: Awaited<ReturnType<typeof openSubscriber>>;

  before(async () => {
    image = await openRelayImage();
    subscriber = await openSubscriber();
    sandbox = createSandbox();
    await sandbox.listen();
  });

  after(async () => {
    tls.setDefaultCACertificates(trusted);
    await browser?.close();
    await caddy?.program.stop();
    await image?.close();
    await sandbox?.close();
    subscriber?.close();
  });

  it('is set up from the link in its log to the first event', async () => {
    const port = await freePort();
    caddy = await startCaddy(image.folder, port);
    tls.setDefaultCACertificates([...trusted, caddy.authority]);
    const settings = { PORT: String(port), PUBLIC_URL: caddy.url };
    const relay = await image.open(image.newVolume('set-up'), settings);
    await relay.start();
    // It is ready a moment before it prints the link.
    const link = await waitFor(
      { what: 'the link', withinMs: 60_000 },
      () => /^Page +(\S+)$/m.exec(readFileSync(relay.log, 'utf8'))?.[1],
    );
    assert.ok(link.startsWith(`${caddy.url}/`), link);
    // What it says to run exists in the container.
    const told = readFileSync(relay.log, 'utf8');
    assert.match(told, /^ {2}relay sources rotate main < secret\.txt$/m);
    assert.doesNotMatch(told, /npx|Ctrl-C/);

    browser = await openChromium([caddy.chromiumArgument]);
    const page = await browser.context.newPage();
    await page.setViewportSize(phone);
    const walk = walkSetUp(page, caddy.url);
    await walk.signIn(link);
    await page.getByText(`${caddy.url}/in/main`).waitFor();
    const [{ signingSecret }] = sandbox.accesses;
    await walk.enterSecret(signingSecret);
    await walk.isDone('Paste the signing secret');
    const connectorKey = await walk.createKey();
    const target = { target_url: subscriber.url, events: [type], name: 'Coupons' };
    await walk.subscribe(connectorKey, target);

    sandbox.webhooks.add({ url: `${caddy.url}/in/main` });
    const before = subscriber.arrived.size;
    await sandbox.fire(type);
    await waitFor(
      { what: 'the event to arrive', withinMs: 60_000 },
      () => subscriber.arrived.size > before,
    );
    await walk.openFirstEvent(type);

    assert.equal((await fetch(`${caddy.url}/metrics`)).status, 404);
    assert.deepEqual(await relay.placesOf([signingSecret, ...connectorKey.split('.')]), []);
    await relay.stop();
  });
});
