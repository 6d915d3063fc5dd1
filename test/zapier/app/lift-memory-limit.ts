import { createRequire } from 'node:module';

// After 250 runs zapier-platform-core ends a process of more than 450 MB, and Zapier starts a new
// one. A test process is larger, and nothing would restart it.
const constants = createRequire(import.meta.url)('zapier-platform-core/src/constants') as object;
Object.assign(constants, { KILL_MIN_LIMIT: Number.POSITIVE_INFINITY });
