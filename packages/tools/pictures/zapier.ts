/**
 * Takes the pictures of the Zapier guide. Zapier's editor needs an account, so the pictures show
 * what the app defines, and say so.
 */
import path from 'node:path';
import { openChromium } from '../../../test/e2e/support/chromium.ts';
import { images } from '../../../test/e2e/support/machine.ts';
import { definitionOf } from '../../../test/zapier/app/definition.ts';
import { connectionForm, pageOf, partForm } from './zapier-form.ts';

const definition = await definitionOf('private');
const { create_coupon: createCoupon } = definition.creates;
const { campaign_request_status_changed: statusChanged } = definition.triggers;
if (!createCoupon || !statusChanged) throw new Error('The app lacks what the guide shows.');

const pictures = [
  { name: 'zapier-connection', form: connectionForm(definition) },
  { name: 'zapier-create-coupon', form: partForm(createCoupon) },
  { name: 'zapier-status-changed', form: partForm(statusChanged) },
];

const browser = await openChromium();
try {
  const page = await browser.context.newPage();
  for (const { name, form } of pictures) {
    await page.setContent(pageOf(form));
    await page.locator('main').screenshot({ path: path.join(images, `${name}.png`) });
  }
} finally {
  await browser.close();
}
