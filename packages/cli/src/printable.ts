/** Everything that moves the cursor, changes colors, or reorders the text of a line. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside, safe for a terminal: control and bidirectional characters are written as
 * `\uXXXX`, which inside JSON means the same. Line breaks stay.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
