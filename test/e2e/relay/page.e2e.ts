import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { focusedName, follow, tabTo } from '../support/keyboard.ts';
import { isAccessible, showsTitle } from '../support/page-checks.ts';
import {
  browser,
  desktop,
  notice,
  open,
  openPage,
  page,
  phone,
  press,
  relay,
  signIn,
  url,
  world,
} from './open-page.ts';
import { adminToken } from './open-relay.ts';

const paths = [
  '/',
  '/?range=days',
  '/operator/events',
  '/operator/deliveries',
  '/operator/deliveries?state=pending',
  '/operator/dead',
  '/operator/subscriptions',
  '/operator/sources',
  '/operator/tokens',
  '/operator/set-up',
  '/operator/nothing',
];

describe("the relay's page", () => {
  openPage();

  describe('for everyone', () => {
    for (const [size, viewport] of Object.entries({ desktop, phone })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        it(`axe finds no violation, and nothing sticks out: ${size}, ${colorScheme}`, async () => {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          for (const path of ['/operator/sign-in', '/operator/sign-in?link=x']) {
            await open(path);
            await isAccessible(page, path);
          }
          await signIn();
          for (const path of paths) {
            await open(path);
            await isAccessible(page, path);
          }
          await open('/operator/events');
          await page.getByRole('link', { name: 'user.registered' }).click();
          await isAccessible(page, 'an event');
          for (const name of ['Invoices in n8n', 'Old landing page']) {
            await open('/operator/subscriptions');
            await page.getByRole('link', { name }).click();
            await isAccessible(page, name);
          }
          await open('/operator/tokens');
          await page.getByLabel('Name').fill('partner');
          await press('Create');
          await isAccessible(page, 'a new key');
          await open('/operator/sources');
          await page.getByLabel('Name').fill('main');
          await page.getByLabel('Signing secret of the access').fill('x');
          await press('Add');
          await page.getByRole('alert').waitFor();
          await isAccessible(page, 'a refusal');
        });
      }
    }

    it('a phone shows every column, and labels that can be read', async () => {
      await page.setViewportSize(phone);
      await signIn();
      const heights = await page
        .locator('.plot :is(.axis span, text)')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      assert.ok(heights.length > 2 && Math.min(...heights) >= 12, `labels of ${heights} px`);
      for (const path of paths) {
        await open(path);
        for (const summary of await page.locator('summary').all()) await summary.click();
        const cut = await page
          .locator('.scroll')
          .evaluateAll((all) =>
            all
              .filter((one) => one.scrollWidth > one.clientWidth)
              .map((one) => one.getAttribute('aria-label')),
          );
        assert.deepEqual(cut, [], path);
      }
    });

    it('the keyboard alone signs in, finds what is dead, and replays it', async () => {
      // In a page where nothing was clicked yet the first Tab starts at the top.
      const untouched = await browser.context.newPage();
      const keys = async (...names: string[]) => {
        for (const name of names) await untouched.keyboard.press(name);
      };
      await untouched.goto(await relay.signInLink(url));
      await keys('Tab');
      assert.equal(await focusedName(untouched), 'Skip to content');
      await keys('Enter', 'Tab');
      assert.equal(await focusedName(untouched), 'Sign in');
      await follow(untouched);
      await showsTitle(untouched, 'Overview');
      await tabTo(untouched, 'Dead list');
      await follow(untouched);
      await showsTitle(untouched, 'Dead list');
      await tabTo(untouched, /Old landing page/);
      await keys('Enter');
      await tabTo(untouched, /landing\/410$/);
      await follow(untouched);
      await showsTitle(untouched, 'Old landing page');
      await tabTo(untouched, 'Switch on');
      await follow(untouched);
      await untouched.getByText('Subscription switched on.').waitFor();
      await tabTo(untouched, 'Replay all dead');
      await follow(untouched);
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
      await showsTitle(page, 'Overview');
      await press('Sign out');
      await showsTitle(page, 'Sign in');
      await open('/operator/tokens');
      await showsTitle(page, 'Sign in');
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
      await press('Copy the connector key');
      await notice('Copied.');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), selected);
      await page.getByRole('link', { name: 'Back' }).click();
      const row = page.getByRole('row').filter({ hasText: 'partner' });
      await row.locator('summary', { hasText: 'Rotate' }).click();
      await press('Rotate now partner');
      await showsTitle(page, 'Connector key');
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
      await page.getByLabel('Signing secret of the access').fill('secret-of-third');
      await press('Add');
      await notice('Source added.');
      const row = page.getByRole('row').filter({ hasText: '/in/third' });
      await row.locator('summary').click();
      await row.getByLabel('New signing secret').fill('next-secret-of-third');
      await row.getByRole('button', { name: 'Rotate' }).click();
      await notice('Signing secret saved.');
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
      await showsTitle(page, 'Overview');
    });
  });
});
