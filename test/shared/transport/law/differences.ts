/** By case, what a transport does instead of the law. docs/limits-and-errors.md lists them. */
export type Differences = Readonly<Record<string, string>>;

const broken = 'network_error, sent: maybe';
const late = 'timeout, sent: maybe';
const text = '{"a":1}';

const readsOtherEncodings: Differences = {
  'br, which was not requested': `200 ${text}`,
  'deflate, which was not requested': `200 ${text}`,
  'deflate without its head': `200 ${text}`,
  'plain text as br': broken,
};
const acceptsHalfGzip: Differences = {
  'half a body in gzip': '200 {"a',
  'gzip without its end': `200 ${text}`,
  '307 with half a body in gzip': '307 {"a retry-after: 7',
  '404 with half a body in gzip': '404 {"a retry-after: 7',
  '429 with half a body in gzip': '429 {"a retry-after: 7',
  '503 with half a body in gzip': '503 {"a retry-after: 7',
};
const ignoresUnknownEncodings: Differences = {
  'an unknown encoding': `200 ${text}`,
  '307 in an unknown encoding': `307 ${text} retry-after: 7`,
  '404 in an unknown encoding': `404 ${text} retry-after: 7`,
  '429 in an unknown encoding': `429 ${text} retry-after: 7`,
  '503 in an unknown encoding': `503 ${text} retry-after: 7`,
};
const doesNotUnzipTwice: Differences = {
  'gzip twice': '200 not JSON',
  'gzip once that claims to be twice': '200 not JSON',
};
const refusesContinue: Differences = {
  '100 before the response': broken,
  'several before the response': broken,
  '100 byte by byte before the response': broken,
  '100, then silence': broken,
};
const misses101: Differences = {
  '101 that upgrades': late,
  '101, then a response': late,
  '101 without a protocol': '101 ',
  '101 without a word of the connection': '101 ',
};
const seesNoHandshake: Differences = {
  'a reset in the TLS handshake': broken,
  'silence in the TLS handshake': late,
};
const takesFirstRetryAfter: Differences = {
  'several headers of one name': `200 ${text} retry-after: 7`,
};
const misses407: Differences = { 'status 407': broken };
const drops205: Differences = { '205 with a body': '205 ' };
const blocksPorts: Differences = {
  'a port that fetch blocks': 'network_error, sent: no, final',
};
const waitsForMissingBodies: Differences = {
  'a length, and no body': late,
  'less than the length': late,
};
const refusesMoreThanTheLength: Differences = {
  'more than the length': broken,
  'a second response after the first': broken,
  '204 with a body': broken,
  '204 with a body in chunks': broken,
};
const unzipsSmallLettersOnly: Differences = { 'GZIP in capitals': '200 not JSON' };
const hidesSecrets: Differences = { 'status 401': '401  retry-after: 7' };

const decodesByItself = { ...readsOtherEncodings, ...acceptsHalfGzip, ...ignoresUnknownEncodings };
const ofPlatforms = {
  ...decodesByItself,
  ...doesNotUnzipTwice,
  ...misses101,
  ...seesNoHandshake,
  ...takesFirstRetryAfter,
};
const ofZapier = {
  ...ofPlatforms,
  ...waitsForMissingBodies,
  ...refusesMoreThanTheLength,
  ...unzipsSmallLettersOnly,
};

export const differences = {
  node: {},
  undici: refusesContinue,
  fetch: {
    ...decodesByItself,
    ...refusesContinue,
    ...misses407,
    ...drops205,
    ...blocksPorts,
    ...seesNoHandshake,
  },
  n8n: ofPlatforms,
  zapier: ofZapier,
  zapierSecrets: { ...ofZapier, ...hidesSecrets },
} satisfies Record<string, Differences>;
