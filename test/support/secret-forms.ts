/** A secret in each form that a server may quote it in, by the name of the form. */
export function formsOf(secret: string): Readonly<Record<string, string>> {
  const url = encodeURIComponent(secret);
  return {
    plain: secret,
    'URL-encoded': url,
    'URL-encoded in lower case': url.replace(/%../g, (code) => code.toLowerCase()),
    'quoted for JSON': JSON.stringify(secret),
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
