/** Invisible characters, except those that change how the character before them looks. */
const hidden = String.raw`(?![\ufe0e\ufe0f\u{e0020}-\u{e007f}])[\p{DI}\p{Cc}\u2800]`;
const start = new RegExp(`^(?:\\s|${hidden})+`, 'u');
const end = new RegExp(`(?:\\s|${hidden})+$`, 'u');
const anywhere = /[\p{DI}\u2800]|(?!\s)\p{Cc}/gu;

/** Two of them join letters of other scripts, and emoji: after these characters, they do nothing. */
const inside = new RegExp(
  String.raw`(?!\s)(?:(?![\u200c\u200d])${hidden}|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\d\s])[\u200c\u200d])`,
  'u',
);

/** The text without white space and invisible characters around it: they come from copying. */
export function trimInvisible(text: string): string {
  return text.replace(start, '').replace(end, '');
}

/** The text without invisible characters: in an address or a code, they are a mistake. */
export function withoutInvisible(text: string): string {
  return trimInvisible(text.replace(anywhere, ''));
}

/** The first invisible character in a text, where it could be meant. */
export function firstInvisibleIn(text: string): string | undefined {
  const [found] = inside.exec(text) ?? [];
  const code = found?.codePointAt(0);
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** An address without what email programs put around it: `mailto:`, a name, and angle brackets. */
export function bareEmailAddress(text: string): string {
  const plain = withoutInvisible(text);
  const [, inBrackets] = /^[^<>]*<([^<>]+)>$/.exec(plain) ?? [];
  return withoutInvisible((inBrackets ?? plain).replace(/^mailto:/i, ''));
}

/**
 * The address as a key, so that one lead has one key however the address was written: without
 * invisible characters and what email programs add, in lower case, and with an international domain
 * as in DNS (`xn--…`). Empty for anything but text.
 */
export function emailKey(given: unknown): string {
  if (typeof given !== 'string') return '';
  const address = bareEmailAddress(given.normalize('NFC')).toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // Only names: of anything else, a URL would drop a part.
  const url = `http://${domain}`;
  const isInternational = /[^\p{ASCII}]/u.test(domain) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain);
  if (!isInternational || !URL.canParse(url)) return address;
  return address.slice(0, at) + new URL(url).hostname;
}
