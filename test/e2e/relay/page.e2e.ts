import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Relay } from '@screen-advertising/relay';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { type Browser, openChromium } from '../support/chromium.ts';
import { adminToken, openRelayWorld, type RelayWorld } from './open-relay.ts';

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const paths = [
  '/',
  '/operator/events',
  '/operator/deliveries',
  '/operator/deliveries?state=pending',
  '/operator/dead',
  '/operator/subscriptions',
  '/operator/sources',
  '/operator/tokens',
  '/operator/nothing',
];

let browser: Browser;
let page: Page;
let world: RelayWorld;
let relay: Relay;
let url: string;
const troubles: string[] = [];

before(async () => {
  world = await openRelayWorld();
  browser = await openChromium();
  page = await browser.context.newPage();
  page.on('console', (message) => {
    // Chromium's own note on every response that is an error; some are wanted here.
    const expected = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !expected) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) troubles.push(`asked for ${request.url()}`);
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

const open = (path: string) => page.goto(`${url}${path}`);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const notice = (text: string) => page.getByRole('status').getByText(text).waitFor();

async function signIn(): Promise<void> {
  await page.goto(await relay.signInLink(url));
  await press('Sign in');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function check(what: string): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  assert.deepEqual(found, [], what);
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  assert.ok(excess <= 0, `${what} is ${excess} px too wide`);
}

describe('for everyone', () => {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`axe finds no violation, and nothing sticks out: ${size}, ${colorScheme}`, async () => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        for (const path of ['/operator/sign-in', '/operator/sign-in?link=x']) {
          await open(path);
          await check(path);
        }
        await signIn();
        for (const path of paths) {
          await open(path);
          await check(path);
        }
        await open('/operator/events');
        await page.getByRole('link', { name: 'user.registered' }).click();
        await check('an event');
        for (const name of ['Invoices in n8n', 'Old landing page']) {
          await open('/operator/subscriptions');
          await page.getByRole('link', { name }).click();
          await check(name);
        }
        await open('/operator/tokens');
        await page.getByLabel('Name').fill('partner');
        await press('Create');
        await check('a new key');
        await open('/operator/sources');
        await page.getByLabel('Name').fill('main');
        await page.getByLabel('Signing secret of the access').fill('x');
        await press('Add');
        await page.getByRole('alert').waitFor();
        await check('a refusal');
      });
    }
  }

  it('the keyboard alone signs in, finds what is dead, and replays it', async () => {
    // In a page where nothing was clicked yet the first Tab starts at the top.
    const untouched = await browser.context.newPage();
    const keys = async (...names: string[]) => {
      for (const name of names) await untouched.keyboard.press(name);
    };
    const focused = () =>
      untouched.evaluate(() => {
        const focus = document.activeElement;
        return focus?.getAttribute('aria-label') ?? focus?.textContent?.trim() ?? '';
      });
    const tabTo = async (wanted: RegExp) => {
      for (let count = 0; count < 40; count += 1) {
        await keys('Tab');
        if (wanted.test(await focused())) return;
      }
      assert.fail(`Tab never came to ${wanted}`);
    };
    await untouched.goto(await relay.signInLink(url));
    await keys('Tab');
    assert.equal(await focused(), 'Skip to content');
    await keys('Enter', 'Tab');
    assert.equal(await focused(), 'Sign in');
    await keys('Enter');
    await untouched.getByRole('heading', { name: 'Overview' }).waitFor();
    await tabTo(/^Dead list$/);
    await keys('Enter');
    await untouched.getByRole('heading', { name: 'Dead list' }).waitFor();
    await tabTo(/Old landing page/);
    await keys('Enter');
    await tabTo(/landing\/410$/);
    await keys('Enter');
    await untouched.getByRole('heading', { name: 'Old landing page' }).waitFor();
    await tabTo(/^Switch on$/);
    await keys('Enter');
    await untouched.getByText('Subscription switched on.').waitFor();
    await tabTo(/^Replay all dead$/);
    await keys('Enter');
    await untouched.getByText('Replaying 1 delivery.').waitFor();
    await untouched.close();
  });

  it('works without scripts', async () => {
    const context = await browser.context.browser()?.newContext({ javaScriptEnabled: false });
    assert.ok(context);
    const plain = await context.newPage();
    await plain.goto(`${url}/operator/dead`);
    await plain.getByLabel('Admin token').fill(adminToken);
    await plain.getByRole('button', { name: 'Sign in' }).click();
    await plain.getByRole('link', { name: 'Subscriptions', exact: true }).click();
    await plain.getByRole('link', { name: 'Invoices in n8n' }).click();
    await plain.getByText('Switch off', { exact: true }).click();
    await plain.getByRole('button', { name: 'Switch off now' }).click();
    await plain.getByText('Subscription switched off.').waitFor();
    await context.close();
  });
});

describe('an operator', () => {
  it('signs in by a link that works once, and out', async () => {
    const link = await relay.signInLink(url);
    await page.goto(link);
    await press('Sign in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press('Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await open('/operator/tokens');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(link);
    await press('Sign in');
    await notice('This link was already used or is older than 15 minutes.');
  });

  it('finds out why an event did not arrive', async () => {
    await signIn();
    await page.getByRole('link', { name: 'campaign.paid' }).last().click();
    await page.getByText('"amount_cents": 129000').waitFor();
    const delivery = page.locator('.records li').filter({ hasText: 'Zap: tell the sales team' });
    await delivery.locator('summary').click();
    await delivery.getByRole('cell', { name: '503' }).first().waitFor();
    await delivery.getByText('Next attempt: ').waitFor();
    await press('Replay to every subscription');
    await notice('Replaying 2 deliveries.');
  });

  it('creates a key, copies it with one click, rotates and revokes it', async () => {
    await signIn();
    await open('/operator/tokens');
    await page.getByLabel('Name').fill('partner');
    await press('Create');
    const key = page.locator('dd code').first();
    await key.click();
    const selected = await page.evaluate(() => String(getSelection()));
    assert.match(selected, /^rly_[\w-]{43}\.whsec_\S{44}$/);
    assert.equal(selected, await key.textContent());
    await page.getByRole('link', { name: 'Back' }).click();
    const row = page.getByRole('row').filter({ hasText: 'partner' });
    await row.locator('summary', { hasText: 'Rotate' }).click();
    await press('Rotate now partner');
    await page.getByRole('heading', { name: 'Connector key' }).waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('was already rotated').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await row.locator('summary', { hasText: 'Revoke' }).click();
    await press('Revoke now partner');
    await notice('Token revoked, and its subscriptions switched off.');
  });

  it('adds a source, and rotates its secret', async () => {
    await signIn();
    await open('/operator/sources');
    await page.getByLabel('Name').fill('third');
    await page.getByLabel('Signing secret of the access').fill('secret');
    await press('Add');
    await notice('Source added.');
    const row = page.getByRole('row').filter({ hasText: '/in/third' });
    await row.locator('summary').click();
    await row.getByLabel('New signing secret').fill('next');
    await row.getByRole('button', { name: 'Rotate' }).click();
    await notice('Signing secret replaced.');
  });
});

describe('other sites', () => {
  it('can neither frame the page nor send its forms', async () => {
    await signIn();
    const elsewhere = await browser.context.newPage();
    // Another port is another origin, but to cookies it is the same site: they are sent along.
    await elsewhere.goto(world.elsewhere);
    await elsewhere.setContent(`<iframe src="${url}/"></iframe>
<form method="post" action="${url}/operator/sign-out"><button>Win a prize</button></form>`);
    await elsewhere.waitForLoadState('networkidle');
    const framed = elsewhere.frames().find((frame) => frame !== elsewhere.mainFrame());
    assert.equal(await framed?.getByText('Screen Advertising').count(), 0);
    await elsewhere.getByRole('button').click();
    await elsewhere.getByText('The relay accepts forms only from its own pages').waitFor();
    await elsewhere.close();
    await open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
