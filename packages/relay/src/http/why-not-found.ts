import type { Hono } from 'hono';
import { ProblemResponseError } from './problem-response-error.ts';

/** A 405 with the allowed methods if another method serves the path; otherwise a 404. */
export function whyNotFound({ routes }: Hono, method: string, path: string): ProblemResponseError {
  const methods = routes
    .filter((route) => route.method !== 'ALL' && matches(route.path, path))
    .map((route) => route.method);
  const allowed = [
    ...new Set(methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : name))),
  ];
  if (allowed.length === 0) {
    return new ProblemResponseError(404, 'not-found', `The relay has no ${method} ${path}.`);
  }
  const list = allowed.sort().join(', ');
  return new ProblemResponseError(
    405,
    'method-not-allowed',
    `${path} takes ${list}, not ${method}.`,
    {
      allow: list,
    },
  );
}

/** Whether a path has the segments of a route, such as `/events/:id`. */
function matches(route: string, path: string): boolean {
  const wanted = route.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) =>
      segment.startsWith(':') ? given[index] !== '' : segment === given[index],
    )
  );
}
