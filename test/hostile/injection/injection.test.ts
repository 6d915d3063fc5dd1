import { fc } from '@fast-check/jest';
import { expect, it } from '@jest/globals';
import { apiKey, createClient, InputError, type TransportRequest } from '@screen-advertising/core';
import { anyCharacter } from '../../support/any-character.ts';
import { cases, seed } from '../../support/tier.ts';

const baseUrl = 'https://service.example/api/v1';
const hostile = fc.oneof(
  fc.constantFrom(
    '../oauth/token',
    '..',
    '.',
    '%2e%2e',
    '..%2f..',
    '//elsewhere.example',
    'https://elsewhere.example/',
    '@elsewhere.example',
    '?code=x',
    '#x',
    'a\r\nx-injected: 1',
    'a\u0000b',
    '\\..\\..',
    'a/../../b',
    '\u2028',
    '__proto__',
  ),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
);

/** A client whose requests stay here, and what it sent. */
function recorder(body = '{"data":[],"pagination":{"has_more":false}}') {
  const sent: TransportRequest[] = [];
  const client = createClient({
    baseUrl,
    auth: apiKey('svc_of_the_test'),
    transport: {
      clock: { now: Date.now, sleep: async () => undefined },
      send: async (request) => {
        sent.push(request);
        return { status: 200, headers: {}, body };
      },
    },
  });
  return { client, sent };
}

it('no ID or code leads anywhere but to its own place below the base URL', async () => {
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const { client, sent } = recorder('{}');
      const calls = [
        client.screens.get({ screenId: text }),
        client.coupons.get({ code: text }),
        client.coupons.revoke({ code: text }),
        client.campaignRequests.get({ id: text }),
      ];
      const refusals = (await Promise.allSettled(calls)).flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason] : [],
      );
      expect(refusals.filter((reason) => !(reason instanceof InputError))).toEqual([]);
      expect(sent.length + refusals.length).toBe(calls.length);
      requests += sent.length;
      for (const { url } of sent) {
        const { origin, pathname, search, hash } = new URL(url);
        expect([origin, search, hash]).toEqual(['https://service.example', '', '']);
        const [, , , place, id = '', ...rest] = pathname.split('/');
        expect(['screens', 'coupons', 'campaign-requests']).toContain(place);
        expect(decodeURIComponent(id)).toBe(text);
        expect(rest.filter((step) => step !== 'revoke')).toEqual([]);
      }
    }),
    { numRuns: cases(3000), seed },
  );
  expect(requests).toBeGreaterThan(cases(3000));
});

const ownParameters = ['city', 'cursor', 'industry', 'limit'];

it('no filter, cursor or field adds a parameter, a header or another address', async () => {
  const sentBy = { query: 0, body: 0 };
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const { client, sent } = recorder();
      await Promise.allSettled([
        client.screens.list({ city: text, cursor: text }),
        client.campaignRequests.list({ industry: text, cursor: text }),
        client.landingLinks.create({ [text]: text }),
      ]);
      for (const { url, headers, body } of sent) {
        const { origin, searchParams } = new URL(url);
        expect(origin).toBe('https://service.example');
        const given = [...searchParams].filter(([name]) => name !== 'limit');
        expect(given.filter(([name]) => !ownParameters.includes(name))).toEqual([]);
        expect(given.filter(([, value]) => value !== text)).toEqual([]);
        expect(Object.values(headers).filter((value) => /[\r\n]/.test(value))).toEqual([]);
        expect(Object.keys(headers)).not.toContain('x-injected');
        if (body !== undefined) expect(JSON.parse(body)).toEqual({ [text]: text });
        sentBy[body === undefined ? 'query' : 'body'] += 1;
      }
    }),
    { numRuns: cases(3000), seed },
  );
  expect(Math.min(...Object.values(sentBy))).toBeGreaterThan(cases(3000) / 2);
});
