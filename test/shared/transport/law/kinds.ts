/** By case, what a transport does instead of the law. */
export type Differences = Readonly<Record<string, string>>;

const broken = 'network_error, sent: maybe';
const late = 'timeout, sent: maybe';
const text = '{"a":1}';

export const readsOtherEncodings: Differences = {
  'br, which was not requested': `200 ${text}`,
  'deflate, which was not requested': `200 ${text}`,
  'deflate without its head': `200 ${text}`,
  'plain text as br': broken,
};
export const acceptsHalfGzip: Differences = {
  'half a body in gzip': '200 {"a',
  'gzip without its end': `200 ${text}`,
  '307 with half a body in gzip': '307 {"a retry-after: 7',
  '429 with half a body in gzip': '429 {"a retry-after: 7',
};
export const ignoresUnknownEncodings: Differences = {
  'an unknown encoding': `200 ${text}`,
  '307 in an unknown encoding': `307 ${text} retry-after: 7`,
  '429 in an unknown encoding': `429 ${text} retry-after: 7`,
};
export const doesNotUnzipTwice: Differences = {
  'gzip twice': '200 not JSON',
  'gzip once that claims to be twice': '200 not JSON',
};
export const refusesContinue: Differences = {
  '100 before the response': broken,
  'several before the response': broken,
  '100 byte by byte before the response': broken,
  '100, then silence': broken,
};
export const misses101: Differences = {
  '101 that upgrades': late,
  '101, then a response': late,
  '101 without a protocol': '101 ',
  '101 without a word of the connection': '101 ',
};
export const seesNoHandshake: Differences = {
  'a reset in the TLS handshake': broken,
  'silence in the TLS handshake': late,
};
export const takesFirstRetryAfter: Differences = {
  'several headers of one name': `200 ${text} retry-after: 7`,
};
export const misses407: Differences = { 'status 407': broken };
export const drops205: Differences = { '205 with a body': '205 ' };
export const blocksPorts: Differences = {
  'a port that fetch blocks': 'network_error, sent: no, final',
};
export const waitsForMissingBodies: Differences = {
  'a length, and no body': late,
  'less than the length': late,
};
export const refusesMoreThanTheLength: Differences = {
  'more than the length': broken,
  'a second response after the first': broken,
  '204 with a body': broken,
  '204 with a body in chunks': broken,
};
export const unzipsSmallLettersOnly: Differences = { 'GZIP in capitals': '200 not JSON' };

export const ignores101WithoutUpgrade: Differences = {
  '101 without a word of the connection': late,
  '101 without a protocol': late,
};
export const allowsOddNames: Differences = {
  'a header without a name': `200 ${text}`,
  'a space before a colon': `200 ${text}`,
};
export const acceptsHalfChunks: Differences = {
  'no last chunk': `200 ${text}`,
  'half a chunk': `200 ${text}`,
  'a reset within a chunk': `200 ${text}`,
  '307 with half a chunk': '307 { retry-after: 7',
  '429 with half a chunk': '429 { retry-after: 7',
};
export const refuses204WithBody: Differences = { '204 with a body': broken };
export const limitsHeaders: Differences = { 'a thousand headers': broken };
export const allowsLargeHeaders: Differences = { 'a header of 1 MB': `200 ${text}` };
export const allowsControlCharacters: Differences = {
  'a control character in a header': `200 ${text}`,
};
export const prefersChunks: Differences = {
  'a length and chunks': `200 ${text} retry-after: 7`,
};
export const ignoresWhatFollowsGzip: Differences = {
  'gzip with something after it': `200 ${text}`,
};
export const unzipsOnePart: Differences = { 'gzip in two parts': '200 {"a"' };
export const knowsNoOldNameOfGzip: Differences = { 'x-gzip': '200 not JSON' };
export const leavesDeflate: Differences = {
  'deflate, which was not requested': '200 not JSON',
  'deflate without its head': '200 not JSON',
};
/** Deno reads the head and the reset in either order. */
export const mayLoseResetBodies: Differences = Object.fromEntries(
  [307, 429].map((status) => [`${status}, then a reset`, `${status}  retry-after: 7 or ${broken}`]),
);
export const missesClosedHandshake: Differences = {
  'a connection that ends before the TLS handshake': broken,
};
/** Its errors have no codes. */
export const knowsNoReasons: Differences = {
  ...missesClosedHandshake,
  'a port without a listener': broken,
  'a port that fetch blocks': broken,
  'a host that does not exist': broken,
  'a certificate that is not trusted': broken,
  'versions of TLS that are too old': broken,
  'HTTPS to a port for HTTP': broken,
};
