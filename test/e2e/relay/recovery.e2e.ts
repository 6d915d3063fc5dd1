import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { focusedName, follow, tabTo } from '../support/keyboard.ts';
import { fits, showsTitle } from '../support/page-checks.ts';
import { deliverEvent } from './lively-relay.ts';
import { browser, openPage, page, phone, press, relay, signIn, url, world } from './open-page.ts';

const name = 'Coupons in n8n';

/** Anna's coupon was redeemed before the workflow for it was published. */
async function annasCoupon(): Promise<void> {
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
}

/** Attempts are made when the frozen clock moves. The open page shows the result automatically. */
async function isDelivered(shown: Page): Promise<void> {
  await shown.getByText('Delivering 1 event.').waitFor();
  await relay.clock.advance(0);
  const delivery = shown.locator('.records li').filter({ hasText: name });
  await delivery.locator('.badge', { hasText: 'delivered' }).waitFor();
}

describe("Anna's coupon never arrived", () => {
  openPage();

  it('at most four clicks lead from her email address to the delivered event', async () => {
    await annasCoupon();
    await signIn();
    let clicks = 0;
    await page.exposeFunction('countClick', () => {
      clicks += 1;
    });
    await page.addInitScript("addEventListener('click', () => window.countClick(), true)");
    await page.reload();
    await page.getByLabel('Search events').click();
    await page.keyboard.type('anna@example.com');
    await press('Search');
    await page.getByRole('link', { name: 'coupon.redeemed' }).click();
    await page.getByText('BVCC-ANNA').waitFor();
    await press('Deliver to it');
    await isDelivered(page);
    assert.ok(clicks > 0 && clicks <= 4, `${clicks} clicks`);
  });

  it('the keyboard alone leads from the sign-in to the delivered event, on a phone', async () => {
    await annasCoupon();
    // In a page where nothing was clicked yet, the first Tab starts at the top.
    const untouched = await browser.context.newPage();
    await untouched.setViewportSize(phone);
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
    await untouched.getByText('BVCC-ANNA').waitFor();
    await tabTo(untouched, 'Deliver to it');
    await follow(untouched);
    await isDelivered(untouched);
    await fits(untouched);
    await untouched.close();
  });
});
