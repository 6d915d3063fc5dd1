import { readFileSync } from 'node:fs';
import {
  ConfigurationError,
  parseEvent,
  verifySignature,
  WebhookVerificationError,
} from '@screen-advertising/core';
import {
  type DeliveryScheme,
  defaultToleranceSeconds,
  signatureHeaderName,
} from '@screen-advertising/core/webhooks';
import type { Command } from 'commander';
import { checkFailedExitCode, UsageError } from './exit-code.ts';
import { escapeForTerminal } from './output.ts';
import type { Terminal } from './program.ts';

const variable = 'SCREEN_ADVERTISING_SIGNING_SECRET';

/** Adds `explain-delivery`, which says how a captured delivery is signed, or why nothing fits. */
export function addExplainDelivery(
  root: Command,
  { env, write }: Terminal,
  end: (exitCode: number) => void,
): void {
  root
    .command('explain-delivery')
    .description('says how a captured webhook delivery is signed, and what the connectors read')
    .argument(
      '<file>',
      'headers, an empty line, and the body as it arrived; - reads standard input',
    )
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      `\nSet ${variable} to the signing secret. Exit codes: 0 verified, ${checkFailedExitCode} not verified.\n`,
    )
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const secret = env[variable];
      if (!secret)
        throw new ConfigurationError('environment', `Set ${variable} to the signing secret.`);
      const captured = readCaptured(read(file));
      if (!captured) {
        throw new UsageError('There is no empty line between the headers and the body.');
      }
      const explanation = explain(captured, secret, Date.now());
      const { verified } = explanation;
      const text = json ? `${JSON.stringify(explanation, null, 2)}\n` : asText(explanation);
      await write(escapeForTerminal(text));
      end(verified ? 0 : checkFailedExitCode);
    });
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function asText({ scheme, age_seconds: age, type, id, fields, notes }: Explanation): string {
  const signed = scheme && `${scheme.algorithm} over ${JSON.stringify(scheme.signed_content)}`;
  const rows = {
    Verified: signed ? `yes: ${signed}, with the secret as ${scheme?.key}` : 'no',
    Age: age === null ? 'unknown' : `${age} s`,
    Event: type ?? 'none',
    ID: id ?? 'none, so duplicates are recognized by their body',
    Fields: fields.join(', ') || 'none',
  };
  const lines = Object.entries(rows).map(([name, value]) => `${name.padEnd(10)}${value}`);
  return [...lines, '', ...notes].join('\n').concat('\n');
}

/** A request as captured. */
interface Captured {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Reads an optional request line, headers, an empty line, and the body. Lines end in LF or CRLF. */
function readCaptured(bytes: Uint8Array): Captured | undefined {
  const text = Buffer.from(bytes).toString('latin1');
  const [head] = /^[\s\S]*?\r?\n\r?\n/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of head.split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name && value !== undefined) headers[name.toLowerCase()] = value;
  }
  return { headers, body: bytes.subarray(head.length) };
}

/** A delivery as a receiver would read it, as printed. */
interface Explanation {
  readonly verified: boolean;
  readonly scheme: { algorithm: string; signed_content: string; key: string } | null;
  /** Negative for a time in the future; null if the header has none. */
  readonly age_seconds: number | null;
  readonly type: string | null;
  readonly id: string | null;
  /** Names of the fields of the event. */
  readonly fields: readonly string[];
  /** Sentences: the fault, its likely cause, and risks. */
  readonly notes: readonly string[];
}

/** Explains a delivery at a time in milliseconds since 1970. */
function explain({ headers, body }: Captured, secret: string, now: number): Explanation {
  const signature = headers[signatureHeaderName];
  const [, t] = /(?:^|[,\s])t=(\d{1,15})(?:,|$)/.exec(signature ?? '') ?? [];
  const isMilliseconds = Number(t) > latestSeconds;
  const seconds = isMilliseconds ? Math.floor(Number(t) / 1000) : Number(t);
  const age = t === undefined ? null : Math.floor(now / 1000) - seconds;
  const verify: Verify = (bytes, key) =>
    verifySignature({
      body: bytes,
      signature,
      secrets: [key],
      toleranceSeconds: Number.MAX_SAFE_INTEGER,
      now: () => now,
    });
  const notes: string[] = [];
  let scheme: DeliveryScheme | undefined;
  try {
    scheme = verify(body, secret);
  } catch (error) {
    if (!WebhookVerificationError.isInstance(error)) throw error;
    const { message, reason } = error;
    notes.push(message, ...(hints[reason]?.(headers) ?? []));
    if (reason === 'signature_mismatch') notes.push(likelyCause(verify, body, secret));
  }
  if (scheme?.signedContent === '{body}') notes.push(timeless);
  if (isMilliseconds) notes.push(inMilliseconds);
  if (scheme && Math.abs(age ?? 0) > defaultToleranceSeconds) notes.push(stale);
  return {
    verified: scheme !== undefined,
    scheme: scheme
      ? { algorithm: scheme.algorithm, signed_content: scheme.signedContent, key: scheme.key }
      : null,
    age_seconds: age,
    ...eventIn(body, notes),
    notes,
  };
}

/** Later than the year 5000: milliseconds. */
const latestSeconds = 99_999_999_999;
const inMilliseconds =
  'The time t is in milliseconds. The service sends seconds, so receivers refuse this delivery as one from the future.';
const timeless = 'The time is not signed, so a receiver recognizes a replay only as a duplicate.';
const stale = `Receivers refuse a delivery that is older than ${defaultToleranceSeconds} s when it arrives. If it was, check the clocks, or what held it back.`;

const hints: Readonly<Record<string, (headers: Captured['headers']) => string[]>> = {
  missing_signature: (headers) => [
    'webhook-signature' in headers
      ? 'This is a delivery of a relay, which signs in another way: its page explains it.'
      : `These headers arrived: ${Object.keys(headers).join(', ') || 'none'}. A proxy may remove others.`,
  ],
  malformed_signature: ({ [signatureHeaderName]: value = '' }) => [
    `It has ${value.length} characters: capture it again if it was cut.`,
  ],
};

type Verify = (body: Uint8Array, secret: string) => DeliveryScheme;

/** The first change to the body or the secret after which the signature fits. */
function likelyCause(verify: Verify, body: Uint8Array, secret: string): string {
  for (const { cause, apply } of alterations) {
    const [changed, key] = apply(body, secret) ?? [];
    if (!changed || !key) continue;
    try {
      const { algorithm, signedContent } = verify(changed, key);
      return `${cause} Then ${algorithm} over ${signedContent} fits.`;
    } catch {
      // Neither is this the cause.
    }
  }
  return `Also tried ${alterations.length} changes that proxies make to a body. Most likely, the secret belongs to another access, or was replaced.`;
}

function eventIn(body: Uint8Array, notes: string[]) {
  try {
    const { type, id, data } = parseEvent(body);
    return { type, id: id ?? null, fields: Object.keys(data) };
  } catch (error) {
    notes.push((error as Error).message);
    return { type: null, id: null, fields: [] };
  }
}

/** Something that may have happened to a delivery on its way, and how to undo it. */
interface Alteration {
  /** A sentence: what happened, and what to do. */
  readonly cause: string;
  /** The body and secret before. Undefined if it cannot have happened. */
  readonly apply: (body: Uint8Array, secret: string) => readonly [Uint8Array, string] | undefined;
}

/** Undoes a change to the text of the body. */
function text(cause: string, undo: (text: string) => string): Alteration {
  return {
    cause,
    apply(body, secret) {
      const now = Buffer.from(body).toString();
      try {
        const before = undo(now);
        return before === now ? undefined : [Buffer.from(before), secret];
      } catch {
        return undefined;
      }
    },
  };
}

const raw = 'Pass the raw bytes of the request to the verifier.';
const asJson = (indent?: number) => (body: string) =>
  JSON.stringify(JSON.parse(body), null, indent);
const escaped = (body: string) =>
  asJson()(body).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The most likely first. */
const alterations: readonly Alteration[] = [
  {
    cause: 'The secret starts or ends with white space: set it again without.',
    apply: (body, secret) => (secret.trim() === secret ? undefined : [body, secret.trim()]),
  },
  text(`A line break at the end of the body was lost. ${raw}`, (body) => `${body}\n`),
  text(`White space, such as a line break, was added around the body. ${raw}`, (body) =>
    body.trim(),
  ),
  text(`The JSON was written again with white space. ${raw}`, asJson()),
  text(`The JSON was written again without white space. ${raw}`, asJson(2)),
  text(`The JSON was written again with other escapes. ${raw}`, escaped),
  text(`The JSON was written again with other escapes. ${raw}`, (body) =>
    asJson()(body).replaceAll('/', '\\/'),
  ),
  text(`Line breaks became LF. ${raw}`, (body) => body.replaceAll(/\r?\n/g, '\r\n')),
  text(`Line breaks became CRLF. ${raw}`, (body) => body.replaceAll('\r\n', '\n')),
  text(`The body was URL-encoded. ${raw}`, (body) =>
    decodeURIComponent(body.replaceAll('+', ' ').replace(/^\w+=/, '')),
  ),
  text(`The body was encoded in base64. ${raw}`, (body) => Buffer.from(body, 'base64').toString()),
];
