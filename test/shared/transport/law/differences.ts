import * as kinds from './kinds.ts';

const decodesByItself = {
  ...kinds.readsOtherEncodings,
  ...kinds.acceptsHalfGzip,
  ...kinds.ignoresUnknownEncodings,
};
const ofPlatforms = {
  ...decodesByItself,
  ...kinds.doesNotUnzipTwice,
  ...kinds.misses101,
  ...kinds.seesNoHandshake,
  ...kinds.takesFirstRetryAfter,
};
const ofZapier = {
  ...ofPlatforms,
  ...kinds.waitsForMissingBodies,
  ...kinds.refusesMoreThanTheLength,
  ...kinds.unzipsSmallLettersOnly,
};

/** By transport, on Node.js 24. docs/limits-and-errors.md lists them. */
export const differences = {
  node: {},
  undici: kinds.refusesContinue,
  fetch: {
    ...decodesByItself,
    ...kinds.refusesContinue,
    ...kinds.misses407,
    ...kinds.drops205,
    ...kinds.blocksPorts,
    ...kinds.seesNoHandshake,
  },
  n8n: ofPlatforms,
  zapier: ofZapier,
} satisfies Record<string, kinds.Differences>;

/** The transports of the core by runtime. */
export type CoreDifferences = Readonly<
  Partial<Record<'node' | 'fetch' | 'undici', kinds.Differences>>
>;

const { node, undici, fetch } = differences;
const onNode22 = { ...fetch, ...kinds.ignores101WithoutUpgrade, ...kinds.allowsOddNames };
const onNode20 = { ...onNode22, ...kinds.acceptsHalfChunks };
const ofOtherFetches = {
  ...kinds.readsOtherEncodings,
  ...kinds.ignoresUnknownEncodings,
  ...kinds.doesNotUnzipTwice,
  ...kinds.prefersChunks,
  ...kinds.drops205,
  ...kinds.seesNoHandshake,
};
const withoutReasons = {
  ...ofOtherFetches,
  ...kinds.knowsNoReasons,
  ...kinds.knowsNoOldNameOfGzip,
  ...kinds.leavesDeflate,
};

export const onRuntimes = {
  'Node.js 20.19.6': { node, fetch: onNode20 },
  'Node.js 22.23.3': { node, fetch: onNode22, undici },
  'Node.js 24.21.0': { node, fetch, undici },
  'Node.js 20.18.1 with undici 7': { undici: { ...undici, ...kinds.refuses204WithBody } },
  'Node.js 24.21.0 with undici 7': { undici: { ...undici, ...kinds.refuses204WithBody } },
  'Bun 1.4.5': {
    node,
    undici,
    fetch: {
      ...ofOtherFetches,
      ...kinds.limitsHeaders,
      ...kinds.allowsLargeHeaders,
      ...kinds.ignoresWhatFollowsGzip,
      ...kinds.missesClosedHandshake,
    },
  },
  'Deno 2.9.6': {
    node,
    undici: { ...undici, ...kinds.mayLoseResetBodies },
    fetch: {
      ...withoutReasons,
      ...kinds.limitsHeaders,
      ...kinds.unzipsOnePart,
      ...kinds.ignoresWhatFollowsGzip,
    },
  },
  'workerd 1.20261117.1': {
    fetch: {
      ...withoutReasons,
      ...kinds.allowsControlCharacters,
      ...kinds.unzipsSmallLettersOnly,
    },
  },
} satisfies Record<string, CoreDifferences>;
