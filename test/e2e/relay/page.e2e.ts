import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Relay } from '@screen-advertising/relay';
import type { Page } from 'playwright-core';
import { focusedName, follow, tabTo } from '../support/keyboard.ts';
import {
  fits,
  isAccessible,
  isUsableByKeyboard,
  isUsableByTouch,
  showsTitle,
} from '../support/page-checks.ts';
import { appearances, phone, usePage } from '../support/use-page.ts';
import { deliverEvent } from './lively-relay.ts';
import { adminToken, openRelayWorld, type RelayWorld } from './open-relay.ts';

const paths = [
  '/',
  '/?range=days',
  '/operator/events',
  '/operator/deliveries',
  '/operator/deliveries?state=pending',
  '/operator/deliveries?state=dead',
  '/operator/subscriptions',
  '/operator/sources',
  '/operator/tokens',
  '/operator/set-up',
  '/operator/nothing',
];

describe("the relay's page", () => {
  const opened = usePage();
  const { press, notice, refreshes, selected } = opened;
  let world: RelayWorld;
  /** A new one for each test, with records of every kind. */
  let relay: Relay;
  let url: string;

  before(async () => {
    world = await openRelayWorld();
  });

  beforeEach(async () => {
    await relay?.close();
    ({ relay, url } = await world.open());
  });

  after(() => world.close());

  const open = (path: string) => opened.page.goto(`${url}${path}`);

  async function signIn(): Promise<void> {
    await opened.page.goto(await relay.signInLink(url));
    await press('Sign in');
    await showsTitle(opened.page, 'Overview');
  }

  for (const { size, viewport, colorScheme } of appearances) {
    it(`axe finds no violation, and nothing sticks out: ${size}, ${colorScheme}`, async () => {
      const { page } = opened;
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
      await open('/operator/sources');
      await page.getByLabel('Name').fill('main');
      await page.getByLabel('Signing secret of the access').fill('x');
      await press('Add');
      await page.getByRole('alert').waitFor();
      await isAccessible(page, 'a refusal');
    });
  }

  it('a phone shows every column, and labels that can be read', async () => {
    const { page } = opened;
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

  /** Each list, and a record of each kind. */
  async function openEach(check: (page: Page, what: string) => Promise<void>): Promise<void> {
    const { page } = opened;
    for (const path of paths) {
      await open(path);
      await check(page, path);
    }
    await open('/operator/events');
    await page.getByRole('link', { name: 'user.registered' }).click();
    await check(page, 'an event');
    for (const name of ['Zap: tell the sales team', 'Old landing page']) {
      await open('/operator/subscriptions');
      await page.getByRole('link', { name }).click();
      await check(page, name);
    }
  }

  it('signing out is beside the name of the page on a phone', async () => {
    await opened.page.setViewportSize(phone);
    await signIn();
    const middles = await opened.page.locator('header > a, header button').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
    assert.equal(middles.length, 2);
    assert.equal(new Set(middles).size, 1, `${middles}`);
    await fits(opened.page);
  });

  it('no choice of a subscription is cut off on a desktop', async () => {
    const { page } = opened;
    await signIn();
    await open('/operator/events');
    await page.getByRole('link', { name: 'user.registered' }).click();
    const choice = page.getByLabel('Subscription', { exact: true });
    const texts = await choice.locator('option').allTextContents();
    assert.ok(texts.some((text) => text.endsWith(' (not subscribed)')));
    const room = await choice.evaluate((select) => {
      const pen = document.createElement('canvas').getContext('2d');
      if (!(select instanceof HTMLSelectElement) || !pen) return -1;
      const style = getComputedStyle(select);
      pen.font = style.font;
      const widest = Math.max(
        ...[...select.options].map(({ text }) => pen.measureText(text).width),
      );
      const arrow = 20;
      return select.clientWidth - Number.parseFloat(style.paddingLeft) * 2 - arrow - widest;
    });
    assert.ok(room >= 0, `${-room} px are missing for ${texts}`);
  });

  it('a finger hits every control of a phone, and no choice is cut off', async () => {
    await opened.page.setViewportSize(phone);
    await signIn();
    await openEach(isUsableByTouch);
  });

  it('the keyboard reaches every control, and shows where it is', async () => {
    await signIn();
    await openEach(isUsableByKeyboard);
  });

  it('says how many a subscription never got before it gets them', async () => {
    const { page } = opened;
    await relay.clock.advance(5_000);
    await deliverEvent(relay, url, 'evt_0008', 'campaign_request.created', {});
    await signIn();
    await open('/operator/events');
    await page.getByRole('link', { name: 'campaign_request.created' }).click();
    await press('Deliver this and all it missed since ...');
    await page.getByText(/^It got every event of its types since/).waitFor();
    await open('/operator/subscriptions');
    await page.getByRole('link', { name: 'Zap: tell the sales team' }).click();
    await page.getByText('Deliver again', { exact: true }).click();
    await page.getByLabel('What it never got, since').selectOption('A day ago');
    await press('Count');
    await page.getByText(/^It got every event of its types since/).waitFor();
  });

  it('works without scripts', async () => {
    await opened.withoutScripts(async (plain) => {
      await plain.goto(`${url}/operator/deliveries?state=dead`);
      await plain.getByLabel('Admin token').fill(adminToken);
      await plain.getByRole('button', { name: 'Sign in' }).click();
      await plain.getByRole('link', { name: 'Subscriptions', exact: true }).click();
      await plain.getByRole('link', { name: 'Invoices in n8n' }).click();
      await plain.getByText('Switch off', { exact: true }).click();
      await plain.getByRole('button', { name: 'Switch off now' }).click();
      await plain.getByText('Subscription switched off.').waitFor();
    });
  });

  it('creates a key, and copies it with one click', async () => {
    const { page } = opened;
    await signIn();
    await open('/operator/tokens');
    await page.getByLabel('Name').fill('partner');
    await press('Create');
    const key = page.locator('dd code').first();
    await key.click();
    const text = await selected();
    assert.match(text, /^rly_[\w-]{43}\.whsec_\S{44}$/);
    assert.equal(text, await key.textContent());
    await press('Copy the connector key');
    await notice('Copied.');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    await isAccessible(page, 'a new key');
  });

  it('the keyboard continues in a field that was refused, and at the message after an action', async () => {
    const untouched = await opened.untouched();
    await untouched.goto(await relay.signInLink(url));
    await tabTo(untouched, 'Sign in');
    await follow(untouched);
    await relay.tokens.create('main', 'partner');
    await untouched.goto(`${url}/operator/tokens`);
    await tabTo(untouched, 'Name');
    await untouched.keyboard.type('partner');
    await follow(untouched);
    const field = untouched.getByLabel('Name');
    assert.equal(await focusedName(untouched), 'Name');
    assert.equal(await field.inputValue(), 'partner');
    const error = await field.getAttribute('aria-describedby');
    assert.match(
      (await untouched.locator(`#${error}`).textContent()) ?? '',
      /already has a token "partner"/,
    );
    await fits(untouched);
    await tabTo(untouched, 'Revoke partner');
    await untouched.keyboard.press('Enter');
    await tabTo(untouched, 'Revoke now partner');
    await follow(untouched);
    assert.equal(
      await focusedName(untouched),
      'Token revoked, and its subscriptions switched off.',
    );
    await untouched.keyboard.press('Tab');
    assert.ok(await untouched.evaluate(() => document.activeElement?.closest('main') !== null));
    await untouched.close();
  });

  describe("while Anna's coupon, redeemed before its workflow was published, waits", () => {
    const name = 'Coupons in n8n';

    beforeEach(async () => {
      const data = { code: 'BVCC-ANNA', lead_email: 'anna@example.com' };
      await deliverEvent(relay, url, 'evt_0007', 'coupon.redeemed', data);
      await relay.clock.advance(1_000);
      const { token } = await relay.tokens.create('main', 'coupons');
      const response = await fetch(`${url}/api/v1/subscriptions`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          target_url: `${world.elsewhere}/n8n/webhook/anna`,
          events: ['coupon.redeemed'],
          name,
        }),
      });
      assert.equal(response.status, 201);
    });

    /** Attempts are made when the frozen clock moves. The open page shows the result automatically. */
    async function isDelivered(shown: Page): Promise<void> {
      await shown.getByText('Queued 1 delivery.').waitFor();
      await relay.clock.advance(0);
      const delivery = shown.locator('.records li').filter({ hasText: name });
      await delivery.locator('.badge', { hasText: 'delivered' }).waitFor();
    }

    it('the keyboard alone leads from the sign-in to the delivered event, on a phone', async () => {
      const untouched = await opened.untouched();
      await untouched.goto(await relay.signInLink(url));
      await tabTo(untouched, 'Sign in');
      await follow(untouched);
      await showsTitle(untouched, 'Overview');
      await untouched.keyboard.press('Tab');
      assert.equal(await focusedName(untouched), 'Skip to content');
      await untouched.keyboard.press('Enter');
      await tabTo(untouched, 'Search events');
      await untouched.keyboard.type('anna@example.com');
      await follow(untouched);
      await showsTitle(untouched, 'Events');
      await tabTo(untouched, 'coupon.redeemed');
      await follow(untouched);
      await untouched.locator('pre', { hasText: 'BVCC-ANNA' }).waitFor();
      await tabTo(untouched, 'Deliver to it');
      await follow(untouched);
      await isDelivered(untouched);
      await fits(untouched);
      await untouched.close();
    });
  });

  describe('while it refreshes', () => {
    const arrive = async (id: string) => {
      await relay.clock.advance(1_000);
      await deliverEvent(relay, url, id, 'campaign.paid', { campaign_id: id });
      await relay.clock.advance(0);
    };

    beforeEach(async () => {
      await signIn();
      await open('/operator/deliveries?state=pending');
    });

    const deliveries = () => opened.page.locator('.records > li');
    const retry = () => opened.page.getByRole('button', { name: /^Retry now/ });

    it('a slow press still counts, although a row came in above the button', async () => {
      const { page } = opened;
      const before = await deliveries().count();
      await page.locator('.records summary').last().click();
      await retry().last().hover();
      await page.mouse.down();
      await arrive('evt_1001');
      await refreshes();
      assert.equal(await deliveries().count(), before);
      await page.mouse.up();
      await notice('Queued 1 delivery.');
    });

    it('the focus, opened details, entered text and a slow key stay', async () => {
      const { page } = opened;
      await page.locator('.records summary').first().click();
      const field = page.locator('form[method=get] input').first();
      await field.fill('Zap');
      const button = retry().first();
      const name = await button.getAttribute('aria-label');
      await button.focus();
      const before = await deliveries().count();
      await arrive('evt_1001');
      await deliveries().nth(before).waitFor();
      assert.equal(await focusedName(page), name);
      assert.equal(await field.inputValue(), 'Zap');
      assert.ok(await button.isVisible());
      await page.keyboard.down('Space');
      await arrive('evt_1002');
      await refreshes();
      await page.keyboard.up('Space');
      await notice('Queued 1 delivery.');
    });

    it('a session that ended leaves the page as it is', async () => {
      const { page } = opened;
      const other = await page.context().newPage();
      await other.goto(`${url}/`);
      await other.getByRole('button', { name: 'Sign out' }).click();
      await showsTitle(other, 'Sign in');
      await other.close();
      await page.waitForResponse((response) => response.url().endsWith('/operator/sign-in'));
      await showsTitle(page, 'Deliveries');
      await press('Show');
      await showsTitle(page, 'Sign in');
    });
  });
});
