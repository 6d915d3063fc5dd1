/**
 * Every secret of the tests is written so that it is known wherever it shows: API keys, access
 * tokens, signing secrets with a prefix, and both secrets of the sandbox's accesses.
 */
const forms = /\b(?:svc|sat|rly|whsec)_[\w-]{8,}|(?<!#)\b[a-z][\w-]*-(?:client|signing)-secret\b/g;

/** The secrets that a text holds; when it holds none as it is, those that are encoded in it. */
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

/** Characters as URLs, JSON and HTML write them, of which secrets of the tests have ASCII only. */
const escapes = /%([\da-f]{2})|\\u00([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});/gi;

function charOf(_all: string, ...[url, json, hex, decimal]: string[]): string {
  const code = decimal === undefined ? `0x${url ?? json ?? hex}` : decimal;
  return String.fromCharCode(Number(code));
}

/** Long enough for the shortest secret. */
const base64 = /[\w+/-]{16,}/g;

/** What comes before a secret shifts its place in a group of four characters. */
function decoded(run: string): string[] {
  return [0, 1, 2, 3].flatMap((shift) =>
    known(Buffer.from(run.slice(shift), 'base64').toString('latin1')),
  );
}
