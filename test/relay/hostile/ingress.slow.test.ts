import { fc } from '@fast-check/jest';
import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { now, secret } from '../../hostile/webhooks/attacks.ts';
import { body, signature as valid } from '../../hostile/webhooks/refused-headers.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { cases, seed } from '../../support/tier.ts';
import { type Running, start } from '../support/running-relay.ts';

const source = 'attacked';
const signed = (content: string | Uint8Array, timestamp = now, key = secret) =>
  signWebhook({ body: content, secret: key, timestamp });
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

async function startAttacked(): Promise<Running & { address: string }> {
  const running = await start({ startAt: now * 1000 });
  await running.relay.sources.add(source, secret);
  return { ...running, address: `${running.url}/in/${source}` };
}

async function stored({ query }: Running): Promise<number> {
  const { rows } = await query('SELECT FROM event UNION ALL SELECT FROM seen_body');
  return rows.length;
}

const longName = `{"type":"${'x'.repeat(201)}"}`;

interface Row extends RawRequest {
  readonly status: number;
  readonly path?: string;
}

const json = { 'content-type': 'application/json' };
const withHeader = (signature: string) => ({ ...json, 'x-service-signature': signature });
const by = (
  name: string,
  status: number,
  signature: string,
  content: string | Buffer = body,
): Row => ({ name, status, headers: withHeader(signature), body: content });

/** What a verifier alone does not see: test/hostile/webhooks has the attacks on its header. */
const refused: Row[] = [
  by('other bytes of the same text', 401, signed(bytes(body, [0xff])), bytes(body, [0xfe])),
  by('the body in UTF-16', 401, valid, Buffer.from(body, 'utf16le')),
  by('bytes that are not UTF-8, signed', 400, signed(bytes(body, [0xff])), bytes(body, [0xff])),
  ...['null', '1', '{"type":""}', '{"type":1}', `[${body}]`, longName].map((text) =>
    by(`${text.slice(0, 20)}, signed`, 400, signed(text), text),
  ),
  { ...by('10 MB in chunks', 413, valid, 'x'.repeat(10_000_000)), chunked: true },
  { ...by('a body that ends early', 400, valid), only: 10 },
  { ...by('chunks that end early', 400, valid), only: 10, chunked: true },
  {
    ...by('a length and chunks', 400, valid),
    headers: { ...withHeader(valid), 'transfer-encoding': 'chunked' },
  },
  {
    ...by('a negative length', 400, valid),
    headers: { ...withHeader(valid), 'content-length': '-1' },
  },
  {
    ...by('a length of 10 GB', 413, valid),
    headers: { ...withHeader(valid), 'content-length': '10000000000' },
  },
  {
    name: 'the header twice',
    status: 401,
    headers: { ...json, 'X-Service-Signature': valid, 'x-service-signature': valid },
    body,
  },
  ...[
    ...['ATTACKED', 'attacked%20', 'attacked/x', '..%2fattacked', '%61ttacke%64x'],
    ...["attacked'--", '%ff', 'attacked%00', 'x'.repeat(5_000)],
  ].map((path): Row => ({ ...by(`the path ${path}`, 404, valid), path })),
];

it(`of what strangers deliver, nothing is stored, in ${refused.length} ways`, async () => {
  const attacked = await startAttacked();
  const answers: [string, number | undefined][] = [];
  for (const { status: _status, path = source, ...request } of refused) {
    answers.push([request.name, await sendRaw(`${attacked.url}/in/${path}`, request)]);
  }
  expect(answers).toEqual(refused.map(({ name, status }) => [name, status]));
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
    const status = await sendRaw(attacked.address, { ...by(method, 0, valid), method });
    expect([method, [404, 405].includes(status ?? 0)]).toEqual([method, true]);
  }
  expect(await stored(attacked)).toBe(0);
  // It still accepts honest deliveries.
  const accepted = await sendRaw(attacked.address, by('honest', 202, valid));
  expect([accepted, await stored(attacked)]).toEqual([202, 1]);
});

const runs = cases(4_000);

describe(`${runs} generated deliveries`, () => {
  const name = fc.constantFrom('id', 'event_id', 'type', 'event', 'data', 'payload', 'x');
  const value = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.constantFrom('a\0b', '\ud800', 'x'.repeat(5_000), 'campaign.paid', '', '\u202e'),
    fc.jsonValue({ maxDepth: 3 }),
    fc.double(),
  );
  const content = fc.oneof(
    fc.dictionary(name, value, { maxKeys: 6 }).map((members) => JSON.stringify(members)),
    fc.json(),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
  );

  it('that the service signed itself are stored or refused as unreadable, and nothing fails', async () => {
    const attacked = await startAttacked();
    const target = { target_url: 'http://127.0.0.1:1/', events: ['campaign.paid'] };
    await attacked.call('PUT', '/subscriptions', target);
    const seen = new Set<number | undefined>();
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const request = by('generated', 0, signed(Buffer.from(text)), Buffer.from(text));
        const status = await sendRaw(attacked.address, request);
        // Two may have the same body by chance.
        seen.add(status === 200 ? 202 : status);
      }),
      { numRuns: runs, seed },
    );
    expect(seen).toEqual(new Set([202, 400]));
    const page = await attacked.call('GET', '/events?limit=200');
    expect(page.status).toBe(200);
  });
});
