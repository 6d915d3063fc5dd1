/** Where texts still wait to be rewritten, by how their paths start. Ends up empty. */
export const later: readonly string[] = [
  'docs/assumptions.md',
  'docs/limits-and-errors.md',
  'docs/n8n-messages.md',
  'docs/zapier-messages.md',
  'packages/',
  'shared/',
  'test/',
];
