/**
 * Takes the pictures of the Zapier guide. Zapier's editor needs an account, so the pictures show
 * what the app defines, and say so.
 */
import path from 'node:path';
import { definitionOf } from '../../zapier/app/definition.ts';
import { openChromium } from '../support/chromium.ts';
import { images } from '../support/machine.ts';
import { connectionForm, pageOf, partForm } from './form.ts';

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
