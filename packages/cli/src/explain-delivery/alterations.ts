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
export const alterations: readonly Alteration[] = [
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
