/** Text as it was meant; nothing for what callers without types hand over, such as a variable that is not set. */
export function trimmed(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}
