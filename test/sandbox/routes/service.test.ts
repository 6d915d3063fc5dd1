import { describe, expect, it } from '@jest/globals';
import { problemDetail } from '../support/problem.ts';
import { start } from '../support/running-sandbox.ts';

describe('requests without an endpoint', () => {
  it.each(['/nothing', '/screens/', '/screens/a/b/c', '/users', '/'])(
    'GET %s is not found, as a problem document',
    async (path) => {
      const { call } = await start();
      expect(problemDetail(await call('GET', path), 404)).toBe(
        `/api/v1${path} does not exist. The base URL ends in /api/v1.`,
      );
    },
  );

  it.each([
    ['GET', '/oauth/token', 'POST'],
    ['DELETE', '/screens', 'GET'],
    ['GET', '/coupons', 'POST'],
    ['PUT', '/coupons/SPRING', 'GET'],
    ['GET', '/coupons/SPRING/revoke', 'POST'],
    ['POST', '/users/lookup', 'GET'],
  ])('%s %s is a method that does not exist', async (method, path, allowed) => {
    const { call } = await start();
    const reply = await call(method, path);
    expect(problemDetail(reply, 405)).toBe(`${method} is not allowed here, only ${allowed}.`);
    expect(reply.headers.get('allow')).toBe(allowed);
  });
});

describe('unreadable bodies', () => {
  it.each([
    ['text that is no JSON', '{"discount_type": ', 400, 'The body is not valid JSON.'],
    ['a list', '[]', 400, 'The body must be a JSON object.'],
    ['null', 'null', 400, 'The body must be a JSON object.'],
    ['nothing', '', 400, 'The body is empty; it must be a JSON object.'],
  ])('%s', async (_case, body, status, detail) => {
    const { call } = await start();
    expect(problemDetail(await call('POST', '/coupons', { body }), status)).toBe(detail);
  });

  it('a form instead of JSON', async () => {
    const { call } = await start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await call('POST', '/oauth/token', { body: 'client_id=a', headers });
    expect(problemDetail(reply, 415)).toBe(
      'The body must be JSON with the header Content-Type: application/json; got application/x-www-form-urlencoded.',
    );
  });

  it('more than 16 MB', async () => {
    const { call } = await start();
    const body = { ...{}, lead_metadata: 'x'.repeat(16 * 1024 * 1024) };
    const reply = await call('POST', '/coupons', { body });
    expect(problemDetail(reply, 413)).toBe('The body is larger than 16777216 bytes.');
  });
});
