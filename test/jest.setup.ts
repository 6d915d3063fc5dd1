import http from 'node:http';
import https from 'node:https';
import './zapier/app/lift-memory-limit.ts';

// zapier-platform-core replaces `request` of these modules by one that knows a single form of
// call, and a worker shares them between its test files. Marked like this they stay as they are;
// z.request does not go through them.
for (const module of [http, https]) Object.assign(module, { patchedByZapier: true });
