/**
 * Takes the pictures of the Zapier guide. Zapier's editor needs an account, so the pictures show
 * what the app defines, and say so.
 */
import path from 'node:path';
import { openChromium } from '../../../test/e2e/support/chromium.ts';
import { images } from '../../../test/e2e/support/machine.ts';
import {
  type Definition,
  definitionOf,
  type InputField,
} from '../../../test/zapier/app/definition.ts';

const { authentication, creates, triggers } = await definitionOf('private');

interface Form {
  readonly title: string;
  readonly description: string | undefined;
  readonly fields: readonly (InputField | string)[] | undefined;
}

/** The form of a create or a trigger. */
function formOf(part: Definition['creates'][string] | undefined): Form {
  if (!part) throw new Error('The app lacks what the guide shows.');
  const { label: title, directions, description } = part.display;
  return { title, description: directions ?? description, fields: part.operation.inputFields };
}

const forms: Readonly<Record<string, Form>> = {
  'zapier-connection': {
    title: 'Connect Screen Advertising',
    description: 'The fields of a new connection.',
    fields: authentication.fields.filter(({ computed }) => computed !== true),
  },
  'zapier-create-coupon': formOf(creates.create_coupon),
  'zapier-status-changed': formOf(triggers.campaign_request_status_changed),
};

const style = `
  body { margin: 0; background: #f4f5f7; font: 15px/1.45 'DejaVu Sans', sans-serif; color: #1d2430; }
  main { width: 640px; padding: 28px; }
  form { background: #fff; border: 1px solid #d6dae1; border-radius: 8px; padding: 22px 26px 10px; }
  h1 { font-size: 20px; margin: 0 0 4px; }
  p { margin: 0 0 18px; color: #4b5565; }
  label { font-weight: bold; display: block; }
  em { font-style: normal; font-weight: normal; color: #a3260f; font-size: 13px; padding-left: 6px; }
  .control { border: 1px solid #aeb5c0; border-radius: 5px; padding: 7px 10px; margin: 4px 0; min-height: 21px; color: #5c6675; }
  .choices { display: flex; justify-content: space-between; }
  small { display: block; color: #4b5565; font-size: 13px; margin-bottom: 14px; }
  footer { font-size: 13px; color: #4b5565; padding: 12px 4px 0; }`;

const escaped = (text = '') =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function fieldOf({ key, label = key, required, helpText, ...field }: InputField): string {
  const { choices, dynamic, placeholder = '' } = field;
  const offered: readonly (string | { readonly label: string })[] = Object.values(choices ?? {});
  const words = offered.map((one) => (typeof one === 'string' ? one : one.label)).join(', ');
  const control =
    offered.length === 0 && dynamic === undefined
      ? `<div class="control">${escaped(placeholder)}</div>`
      : `<div class="control choices"><span>${escaped(words || 'A list to choose from')}</span><span>▾</span></div>`;
  // Links are the words that one can press.
  const help = escaped(helpText).replace(/\[([^\]]*)\]\([^)]*\)/g, '<u>$1</u>');
  const mark = required ? '<em>required</em>' : '';
  return `<label>${escaped(label)}${mark}</label>${control}<small>${help}</small>`;
}

function pageOf({ title, description, fields = [] }: Form): string {
  const shown = fields.map((field) => (typeof field === 'string' ? '' : fieldOf(field))).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>${style}</style>
<main>
  <form><h1>${escaped(title)}</h1><p>${escaped(description)}</p>${shown}</form>
  <footer>The fields as the app defines them; Zapier draws them in its own way.</footer>
</main>
</html>`;
}

const browser = await openChromium();
try {
  const page = await browser.context.newPage();
  for (const [name, form] of Object.entries(forms)) {
    await page.setContent(pageOf(form));
    await page.locator('main').screenshot({ path: path.join(images, `${name}.png`) });
  }
} finally {
  await browser.close();
}
