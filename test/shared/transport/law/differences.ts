/** By case, what a transport does instead of the law. */
export type Differences = Readonly<Record<string, string>>;

const broken = 'network_error, sent: maybe';
const late = 'timeout, sent: maybe';
const text = '{"a":1}';

/** A library below decodes the body. */
const decodesByItself: Differences = {
  'br, which was not requested': `200 ${text}`,
  'deflate, which was not requested': `200 ${text}`,
  'plain text as br': broken,
  'half a body in gzip': '200 {"a',
  'gzip without its end': `200 ${text}`,
  '307 with half a body in gzip': '307 {"a retry-after: 7',
  '429 with half a body in gzip': '429 {"a retry-after: 7',
  'an unknown encoding': `200 ${text}`,
  '307 in an unknown encoding': `307 ${text} retry-after: 7`,
  '429 in an unknown encoding': `429 ${text} retry-after: 7`,
};
const refusesContinue: Differences = {
  '100 before the response': broken,
  '100, then silence': broken,
};
const seesNoHandshake: Differences = {
  'a reset in the TLS handshake': broken,
  'silence in the TLS handshake': late,
};
const ofPlatforms: Differences = {
  ...decodesByItself,
  ...seesNoHandshake,
  'gzip twice': '200 not JSON',
  'gzip once that claims to be twice': '200 not JSON',
  '101 that upgrades': late,
  '101, then a response': late,
  '101 without a protocol': '101 ',
  'several headers of one name': `200 ${text} retry-after: 7`,
};

/** By transport, on Node.js 24. docs/limits-and-errors.md lists them. */
export const differences = {
  node: {},
  undici: refusesContinue,
  fetch: {
    ...decodesByItself,
    ...refusesContinue,
    ...seesNoHandshake,
    'status 407': broken,
    '205 with a body': '205 ',
    'a port that fetch blocks': 'network_error, sent: no, final',
  },
  n8n: ofPlatforms,
  zapier: {
    ...ofPlatforms,
    'a length, and no body': late,
    'less than the length': late,
    'more than the length': broken,
    '204 with a body': broken,
    'GZIP in capitals': '200 not JSON',
  },
} satisfies Record<string, Differences>;

const { node, undici } = differences;
const undici7 = { ...undici, '204 with a body': broken };
/** Deno reads the head and the reset in either order. */
const onDeno = Object.fromEntries(
  [307, 429].map((status) => [`${status}, then a reset`, `${status}  retry-after: 7 or ${broken}`]),
);

/** Of the transports that bring more than the runtime's own fetch. */
export const onRuntimes = {
  'Node.js 20.19.6': { node },
  'Node.js 22.23.3': { node, undici },
  'Node.js 24.21.0': { node, undici },
  'Node.js 20.18.1 with undici 7': { undici: undici7 },
  'Node.js 24.21.0 with undici 7': { undici: undici7 },
  'Bun 1.4.5': { node, undici },
  'Deno 2.9.6': { node, undici: { ...undici, ...onDeno } },
} satisfies Record<string, Readonly<Partial<Record<'node' | 'undici', Differences>>>>;
