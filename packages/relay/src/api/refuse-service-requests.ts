import { operations } from '@screen-advertising/core';
import type { MiddlewareHandler } from 'hono';
import { ProblemResponseError } from '../http/problem-response-error.ts';

/** What the paths of the service start with, such as `screens`; tokens come from `/oauth/token`. */
const resources = new Set([
  'oauth',
  ...Object.values(operations).map(({ path }) => path.split('/')[1]),
]);

/**
 * Both addresses end in /api/v1, and the relay would only refuse the key of a credential that names
 * the wrong one.
 */
export const refuseServiceRequests: MiddlewareHandler = async (c, next) => {
  if (resources.has(c.req.path.split('/')[3])) {
    throw new ProblemResponseError(
      404,
      'not-found',
      'This is a relay, not the service. Enter the base URL of the service here, and this address in the fields of the relay.',
    );
  }
  await next();
};
