/** A secret in each form that an encoder may produce, by the name of the form. */
export function formsOf(secret: string): Readonly<Record<string, string>> {
  const url = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64');
  const buffer = Buffer.from(secret).toString('hex');
  const html = escaped(secret, /[&<>"']/g, (char) => entities[char] ?? char);
  return {
    plain: secret,
    'URL-encoded': url,
    'URL-encoded in lower case': url.replace(/%../g, (code) => code.toLowerCase()),
    'URL-encoded as a form': new URLSearchParams({ '': secret }).toString().slice(1),
    'URL-encoded to the last reserved character': escaped(secret, /[!'()*]|%../g, percent),
    'URL-encoded to the last byte': buffer.replace(/../g, '%$&'),
    hex: buffer,
    'hex in upper case': buffer.toUpperCase(),
    'hex with colons': buffer.replace(/(..)(?!$)/g, '$1:'),
    base64,
    'base64 without padding': base64.replace(/=+$/, ''),
    'base64 for URLs': Buffer.from(secret).toString('base64url'),
    'base64 with a client ID before it': Buffer.from(`the-client:${secret}`).toString('base64'),
    'base64 with a name before it': Buffer.from(`client:${secret}`).toString('base64'),
    'quoted for JSON': JSON.stringify(secret),
    'quoted for JSON without slashes': JSON.stringify(secret).replaceAll('/', '\\/'),
    'quoted for JSON in ASCII': escaped(JSON.stringify(secret), /[^ -~]|[<>&']/g, unicode),
    'escaped for HTML': html,
    'escaped for HTML by numbers': escaped(
      secret,
      /[^\w ]/gu,
      (char) => `&#${char.codePointAt(0)};`,
    ),
    'escaped for HTML by hex numbers': escaped(
      secret,
      /[^\w ]/gu,
      (char) => `&#x${char.codePointAt(0)?.toString(16).toUpperCase()};`,
    ),
  };
}

/** A response text that contains these secrets in all forms. */
export function echoed(...secrets: readonly string[]): string {
  return secrets.flatMap((secret) => Object.values(formsOf(secret))).join(', ');
}

/** The names of the forms of these secrets that a value contains, at any depth. */
export function formsIn(value: unknown, ...secrets: readonly string[]): string[] {
  const text = [...textsIn(value, new Set())].join('\n');
  return secrets.flatMap((secret) =>
    Object.entries(formsOf(secret))
      .filter(([, form]) => text.includes(form))
      .map(([name]) => `${name}: ${secret}`),
  );
}

/** Every text in a value, including hidden members, without quotes. */
function* textsIn(value: unknown, seen: Set<unknown>): Generator<string> {
  if (Object(value) !== value) yield String(value);
  else if (!seen.has(value)) {
    seen.add(value);
    for (const name of Reflect.ownKeys(value as object)) {
      yield String(name);
      yield* textsIn((value as Record<PropertyKey, unknown>)[name], seen);
    }
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string, chars: RegExp, encode: (char: string) => string): string {
  return text.replace(chars, encode);
}

function percent(char: string): string {
  return char.startsWith('%') ? char : `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
