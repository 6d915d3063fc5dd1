import { outsideText } from '@screen-advertising/core/platform';
import type { ResponseRecord } from '../../log/database/stored-values.ts';
import { maxStart, type OutsideResponse } from './post.ts';

/** Others, such as cookies, are not stored. */
const storedHeaders = [
  'cf-ray',
  'content-encoding',
  'content-length',
  'content-type',
  'location',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-request-id',
];
const maxHeader = 200;
const maxBody = 1_024;
/** Escapes lengthen a text. */
const maxLine = 10 * maxStart;
/** A secret at the end of what was read may lack its end, in any encoding, and stay unnoticed. */
const maxSecret = 512;

/** Redacts these secrets, such as a signature that the subscriber sends back. */
export function responseRecord(
  { status, headers, body: { bytes, isCut } }: OutsideResponse,
  secrets: readonly string[],
): ResponseRecord {
  const shortest = Math.min(...secrets.map(({ length }) => length));
  const safe = (text: string, maxLength: number) =>
    // To look for secrets takes longer than all else in an attempt. Most responses are too short.
    outsideText(text, { maxLength, secrets: text.length < shortest ? [] : secrets });
  const kept = storedHeaders.flatMap((name): [string, string][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, safe(String(value), maxHeader)]];
  });
  const text = textOf(bytes, String(headers['content-type']));
  const line = safe(text ?? '', maxLine);
  const certain = bytes.length < maxStart ? line : line.slice(0, -maxSecret);
  const body = certain.slice(0, maxBody).toWellFormed();
  return {
    status,
    headers: Object.fromEntries(kept),
    body,
    is_binary: text === undefined,
    is_cut: isCut || body.length < line.length,
  };
}

/** Undefined for bytes that are not text. The last character may be cut. */
function textOf(bytes: Buffer, contentType: string): string | undefined {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
