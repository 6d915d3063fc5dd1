import http from 'node:http';
import https from 'node:https';
import './zapier/app/lift-memory-limit.ts';

// zapier-platform-core replaces `request` of these modules by a version that supports only one call
// signature, and a worker shares them between its test files. This mark prevents that. z.request
// does not use them.
for (const module of [http, https]) Object.assign(module, { patchedByZapier: true });
