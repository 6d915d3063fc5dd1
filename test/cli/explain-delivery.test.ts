import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import {
  headerOf,
  nameOf,
  schemeSecret,
  schemes,
  signsTime,
} from '../support/signature-schemes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typed } from './command.ts';

const event = {
  id: 'evt_1',
  type: 'coupon.redeemed',
  data: { code: 'PRIVATE-1', lead_email: 'lead@example.com', link: 'https://shop.example/ü' },
};
const body = JSON.stringify(event);
const secret = 'quiet-river-stone-42';
const now = () => Math.floor(Date.now() / 1000);

const folder = temporaryFolder();

/** Captures a delivery in a file. */
async function capture(signature: string, sent = body, headers = '', end = '\r\n') {
  const file = join(folder(), 'delivery.txt');
  const head = ['POST /webhook HTTP/1.1', `X-Service-Signature: ${signature}`, headers];
  const lines = head.filter((line) => line !== '').map((line) => line + end);
  await writeFile(file, `${lines.join('')}${end}${sent}`);
  return file;
}

async function explained(file: string, given = secret) {
  const env = { SCREEN_ADVERTISING_SIGNING_SECRET: given };
  const { code, output, errors } = await typed(['explain-delivery', file, '--json'], env);
  expect(errors).toBe('');
  for (const hidden of [given, 'PRIVATE-1', 'lead@example.com']) {
    expect(output).not.toContain(hidden);
  }
  return { exitCode: code, ...JSON.parse(output) };
}

const timeless = 'The time is not signed, so a receiver recognizes a replay only as a duplicate.';
const signed = (sent = body, timestamp = now()) => signWebhook({ body: sent, secret, timestamp });

describe('explain-delivery names the scheme', () => {
  it.each(schemes.map((scheme) => [nameOf(scheme), scheme] as const))(
    '%s',
    async (_name, scheme) => {
      const file = await capture(headerOf(scheme, now(), body));
      expect(await explained(file, schemeSecret)).toMatchObject({
        exitCode: 0,
        verified: true,
        scheme: {
          algorithm: scheme.algorithm,
          signed_content: scheme.signedContent,
          key: scheme.key,
        },
        type: 'coupon.redeemed',
        id: 'evt_1',
        fields: ['code', 'lead_email', 'link'],
        notes: signsTime(scheme) ? [] : [timeless],
      });
    },
  );

  it('and the age, as text', async () => {
    const file = await capture(signed(body, now() - 3600), body, '', '\n');
    const env = { SCREEN_ADVERTISING_SIGNING_SECRET: secret };
    const { code, output } = await typed(['explain-delivery', file], env);
    expect(code).toBe(0);
    expect(output).toMatch(
      /^Verified {2}yes: sha256 over "\{t\}\.\{body\}", with the secret as text\nAge {7}360\d s\nEvent {5}coupon\.redeemed\nID {8}evt_1\nFields {4}code, lead_email, link\n\nReceivers refuse a delivery that is older than 900 s when it arrives\. If it was, check the clocks, or what held it back\.\n$/,
    );
  });
});

it('explain-delivery says that a time is in milliseconds, and its age', async () => {
  const at = Date.now() - 5000;
  const hex = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const { verified, age_seconds, notes } = await explained(await capture(`t=${at},v1=${hex}`));
  expect(verified).toBe(true);
  expect(age_seconds).toBeGreaterThanOrEqual(5);
  expect(age_seconds).toBeLessThan(600);
  expect(notes).toEqual([
    'The time t is in milliseconds. The service sends seconds, so receivers refuse this delivery as one from the future.',
  ]);
});

describe('explain-delivery finds the likely cause when nothing fits:', () => {
  const raw =
    'Pass the raw bytes of the request to the verifier. Then sha256 over {t}.{body} fits.';
  it.each<[string, () => Parameters<typeof capture>, string]>([
    [
      'a line break at the end',
      () => [signed(), `${body}\n`],
      `White space, such as a line break, was added around the body. ${raw}`,
    ],
    [
      'a lost line break',
      () => [signed(`${body}\n`)],
      `A line break at the end of the body was lost. ${raw}`,
    ],
    [
      'JSON without white space',
      () => [signed(JSON.stringify(event, null, 2))],
      `The JSON was written again without white space. ${raw}`,
    ],
    [
      'JSON with white space',
      () => [signed(), JSON.stringify(event, null, 2)],
      `The JSON was written again with white space. ${raw}`,
    ],
    [
      'other escapes',
      () => [signed(body.replace('ü', '\\u00fc'))],
      `The JSON was written again with other escapes. ${raw}`,
    ],
    [
      'an encoded URL',
      () => [signed(), encodeURIComponent(body)],
      `The body was URL-encoded. ${raw}`,
    ],
    [
      'base64',
      () => [signed(), Buffer.from(body).toString('base64')],
      `The body was encoded in base64. ${raw}`,
    ],
  ])('%s', async (_name, given, cause) => {
    const { exitCode, verified, notes } = await explained(await capture(...given()));
    expect({ exitCode, verified }).toEqual({ exitCode: 9, verified: false });
    expect(notes).toContain(cause);
  });

  it('a secret with white space', async () => {
    const { notes } = await explained(await capture(signed()), `${secret}\n`);
    expect(notes).toContain(
      'The secret starts or ends with white space: set it again without. Then sha256 over {t}.{body} fits.',
    );
  });

  it('another secret', async () => {
    const { exitCode, scheme, type, notes } = await explained(
      await capture(signed()),
      'quiet-other-stone-43',
    );
    expect({ exitCode, scheme, type }).toEqual({
      exitCode: 9,
      scheme: null,
      type: 'coupon.redeemed',
    });
    expect(notes).toEqual([
      expect.stringMatching(
        /^The signature matches none of the signing secrets, in any known scheme\. /,
      ),
      expect.stringMatching(
        /^Also tried \d+ changes that proxies make to a body\. Most likely, the secret belongs to another access, or was replaced\.$/,
      ),
    ]);
  });

  it.each([
    [
      'Content-Type: application/json',
      'These headers arrived: content-type. A proxy may remove others.',
    ],
    [
      'webhook-signature: v1,abc',
      'This is a delivery of a relay, which signs in another way: its page explains it.',
    ],
  ])('no signature, with %s', async (headers, note) => {
    const file = join(folder(), 'unsigned.txt');
    await writeFile(file, `${headers}\n\n${body}`);
    expect(await explained(file)).toMatchObject({
      exitCode: 9,
      age_seconds: null,
      notes: [expect.stringMatching(/^The delivery has no x-service-signature header/), note],
    });
  });

  it('a header cut in half', async () => {
    const header = signed().slice(0, 50);
    const { exitCode, age_seconds, notes } = await explained(await capture(header));
    expect(exitCode).toBe(9);
    expect(age_seconds).toBeLessThan(60);
    expect(notes[0]).toMatch(/^The header x-service-signature cannot be read: /);
    expect(notes[1]).toBe('It has 50 characters: capture it again if it was cut.');
  });
});

describe('explain-delivery says what it needs:', () => {
  it.each([
    [{}, 3, 'Set SCREEN_ADVERTISING_SIGNING_SECRET to the signing secret.\n'],
    [
      { SCREEN_ADVERTISING_SIGNING_SECRET: secret },
      2,
      'There is no empty line between the headers and the body.\n',
    ],
  ])('%j', async (env, code, errors) => {
    const file = join(folder(), 'headless.txt');
    await writeFile(file, body);
    expect(await typed(['explain-delivery', file], env)).toMatchObject({
      code,
      errors,
      output: '',
    });
  });
});
