import type { FormField } from '@screen-advertising/core/forms';

type Unit = Extract<FormField['unit'], string>;

/** Names of timestamps: the contract's end alike (`created_at`), the relay's own is `since`. */
export function isTimestamp(name: string): boolean {
  return /_at$|^since$/.test(name);
}

/** The key of a field in Zapier's forms: `screenId` becomes `screen_id`. */
export function keyOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const units: Partial<Record<Unit, string>> = {
  cents: 'Cents',
  pixels: 'Pixels',
  kilometers: 'Kilometers',
  percent: 'Percent',
};

/** Zapier shows no description beside the value of a field, so the label names the unit. */
export function withUnit(label: string, unit: FormField['unit']): string {
  const name = typeof unit === 'string' ? units[unit] : undefined;
  return name === undefined || / in (Currency Units|Kilometers)$/.test(label)
    ? label
    : `${label} in ${name}`;
}

/** Zapier wants a noun of one word, and makes its plural: `Landing Link` becomes `Link`. */
export function nounOf(title: string): string {
  return title.split(' ').at(-1) ?? title;
}

/** `user_id` becomes `User ID`, and `amount_cents` becomes `Amount`. */
export function labelOf(name: string): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ');
  return words.replace(/\bid\b|\b[a-z]/g, (start) => start.toUpperCase());
}
