/** Names of timestamps: the contract's end alike (`created_at`), the relay's own is `since`. */
export function isTimestamp(name: string): boolean {
  return /_at$|^since$/.test(name);
}

/** Zapier shows no description beside the value of a field, so the label names the unit. */
export function withUnit(label: string, name: string): string {
  if (name.endsWith('_cents') && !label.endsWith('in Currency Units')) return `${label} in Cents`;
  if (name.startsWith('resolution_')) return `${label} in Pixels`;
  if (name.endsWith('_km') && !label.endsWith('in Kilometers')) return `${label} in Kilometers`;
  return name.endsWith('_pct') ? `${label} in Percent` : label;
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
