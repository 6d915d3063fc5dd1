import { createRequire } from 'node:module';

// After 250 runs zapier-platform-core ends a process of more than 450 MB, which Zapier starts anew.
// A process of tests is larger, and nobody would start it anew.
const constants = createRequire(import.meta.url)('zapier-platform-core/src/constants') as object;
Object.assign(constants, { KILL_MIN_LIMIT: Number.POSITIVE_INFINITY });
