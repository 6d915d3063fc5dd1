import type { Definition, InputField } from '../../../test/zapier/app/definition.ts';

export interface Form {
  readonly title: string;
  readonly description: string;
  readonly fields: readonly InputField[];
  readonly caption: string;
}

const isField = (field: InputField | string): field is InputField => typeof field !== 'string';

/** The form of a connection: what a person fills in, without what the app computes. */
export function connectionForm({ authentication }: Definition): Form {
  return {
    title: 'Connect Screen Advertising',
    description: 'The fields of a new connection.',
    fields: authentication.fields.filter(({ computed }) => computed !== true),
    caption:
      'The fields of the connection as the app defines them; Zapier draws them in its own way.',
  };
}

/** The form of a create, a search or a trigger. */
export function partForm(part: Definition['creates'][string]): Form {
  return {
    title: part.display.label,
    description: part.display.directions ?? part.display.description,
    fields: part.operation.inputFields?.filter(isField) ?? [],
    caption: `The fields of ${part.display.label} as the app defines them; Zapier draws them in its own way.`,
  };
}

/** A page that shows a form with its labels, help, choices and examples. */
export function pageOf({ title, description, fields, caption }: Form): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>
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
  figcaption { font-size: 13px; color: #4b5565; padding: 12px 4px 0; }
</style>
<main>
  <figure style="margin:0">
    <form><h1>${escaped(title)}</h1><p>${escaped(description)}</p>${fields.map(fieldOf).join('')}</form>
    <figcaption>${escaped(caption)}</figcaption>
  </figure>
</main>
</html>`;
}

function fieldOf(field: InputField): string {
  const { key, label = key, required, helpText = '' } = field;
  const mark = required ? '<em>required</em>' : '';
  return `<label>${escaped(label)}${mark}</label>${controlOf(field)}<small>${prose(helpText)}</small>`;
}

function controlOf({ choices, dynamic, placeholder = '' }: InputField): string {
  const offered: readonly (string | { readonly label: string })[] = Object.values(choices ?? {});
  if (offered.length === 0 && dynamic === undefined) {
    return `<div class="control">${escaped(placeholder)}</div>`;
  }
  const words = offered.map((one) => (typeof one === 'string' ? one : one.label)).join(', ');
  return `<div class="control choices"><span>${escaped(words || 'A list to choose from')}</span><span>▾</span></div>`;
}

/** Help with its links as the words that one can press. */
function prose(markdown: string): string {
  return escaped(markdown).replace(/\[([^\]]*)\]\([^)]*\)/g, '<u>$1</u>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
