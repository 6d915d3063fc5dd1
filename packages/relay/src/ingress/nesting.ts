const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([...'[{'].map((bracket) => bracket.charCodeAt(0)));
const closing = new Set([...']}'].map((bracket) => bracket.charCodeAt(0)));

/** How many arrays and objects enclose the innermost value of a valid JSON text. */
export function nestingOf(json: Uint8Array): number {
  let deepest = 0;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) isInText = !isInText;
    else if (isInText) at += byte === backslash ? 1 : 0;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}
