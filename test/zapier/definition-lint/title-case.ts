const small = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'in',
  'of',
  'on',
  'or',
  'per',
  'the',
  'to',
]);

export function isTitleCase(label: string): boolean {
  return label
    .split(' ')
    .every((word, index) => (index > 0 && small.has(word)) || /^[A-Z0-9(]/.test(word));
}
