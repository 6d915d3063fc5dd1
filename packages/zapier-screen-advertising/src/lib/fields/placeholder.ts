/** Zapier removes it from addresses, and refuses some of it in a body. */
const placeholder = /\{\{[\s\S]*?\}\}/;

/** Text in two curly brackets, such as `{{contact.city}}`, which nothing filled in. */
export function placeholderIn(value: unknown): string | undefined {
  if (typeof value === 'string') return placeholder.exec(value)?.[0];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of [...Object.keys(value), ...Object.values(value)]) {
    const found = placeholderIn(inner);
    if (found) return found;
  }
  return undefined;
}
