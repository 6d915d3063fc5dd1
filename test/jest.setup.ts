import http from 'node:http';
import https from 'node:https';
import { jest } from '@jest/globals';

// zapier-platform-core replaces `request` of these modules by one that knows a single form of
// call, and a worker shares them between its test files. Marked like this they stay as they are;
// z.request does not go through them.
for (const module of [http, https]) Object.assign(module, { patchedByZapier: true });

// After 250 runs zapier-platform-core ends a process of more than 450 MB, which Zapier starts anew.
// A worker with many test files is such a process, and nobody would start it anew.
const zapier = jest.requireActual<object>('zapier-platform-core/src/constants');
Object.assign(zapier, { KILL_MIN_LIMIT: Number.POSITIVE_INFINITY });
