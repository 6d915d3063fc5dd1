/**
 * Every secret of the tests has a recognizable form: API keys, access tokens, connector keys, admin
 * tokens, signing secrets, and both secrets of the sandbox's accesses.
 */
const forms =
  /\b(?:adm|svc|sat|rly|whsec)_[\w-]{8,}|(?<!#)\b[a-z][\w-]*-(?:client|signing)-secret\b/g;

/** The secrets in a text or, if there are none in plain form, the encoded ones. */
export function secretsIn(text: string): string[] {
  const plain = known(text);
  if (plain.length > 0) return plain;
  const unescaped = text.replace(escapes, charOf);
  const encoded = unescaped === text ? [] : known(unescaped);
  return encoded.length > 0 ? encoded : (unescaped.match(base64)?.flatMap(decoded) ?? []);
}

function known(text: string): string[] {
  return text.match(forms) ?? [];
}

/** Escaped characters of URLs, JSON and HTML. ASCII is enough for the secrets of the tests. */
const escapes = /%([\da-f]{2})|\\u00([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});/gi;

function charOf(_all: string, ...[url, json, hex, decimal]: string[]): string {
  const code = decimal === undefined ? `0x${url ?? json ?? hex}` : decimal;
  return String.fromCharCode(Number(code));
}

/** Long enough for the shortest secret. */
const base64 = /[\w+/-]{16,}/g;

/** Text before a secret shifts its position within base64's groups of four characters. */
function decoded(run: string): string[] {
  return [0, 1, 2, 3].flatMap((shift) =>
    known(Buffer.from(run.slice(shift), 'base64').toString('latin1')),
  );
}
