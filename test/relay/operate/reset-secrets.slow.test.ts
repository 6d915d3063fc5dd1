import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { command as runCommand } from '../support/command.ts';
import { freshDatabase, secretKey, start, subscribe } from '../support/running-relay.ts';

const newKey = Buffer.alloc(32, 9).toString('base64');
const type = 'campaign.paid';
const wrongKey =
  'A secret in the database was encrypted with a different key. Start the relay with that one, in RELAY_SECRET_KEY, or in secret.key in RELAY_DATA_DIR. If it is lost, run: secrets reset';

async function command(databaseUrl: string, ...args: string[]) {
  const environment = { DATABASE_URL: databaseUrl, RELAY_SECRET_KEY: newKey };
  const ended = await runCommand([...args, '--json'], environment, 'the-secret-entered-again');
  return { code: ended.code, output: ended.output + ended.errors };
}

it('after the key was lost, a new one starts, and says what to enter again', async () => {
  // It verifies, so it rejects the signature of a lost secret.
  const receiver = await startReceiver([401, 401]);
  const before = await start({ role: 'ingress' });
  const { databaseUrl } = before;
  await subscribe(before, receiver.url);
  await before.deliver({ id: '1', type, data: {} });
  await before.relay.tokens.create('main', 'revoked');
  await before.relay.tokens.revoke('main', 'revoked');
  await before.relay.close();

  const refused = await command(databaseUrl, 'sources', 'list');
  expect([refused.code, refused.output]).toEqual([1, `${wrongKey}\n`]);
  const { code, output } = await command(databaseUrl, 'secrets', 'reset');
  expect([code, JSON.parse(output)]).toEqual([
    0,
    {
      sources: ['main'],
      tokens: [`main ${before.tokenName}`],
      next: 'Run `sources rotate` for each source, with its signing secret, and `tokens rotate` for each token, whose new key goes into its connector.',
    },
  ]);
  // A second run has nothing to replace.
  const again = await command(databaseUrl, 'secrets', 'reset');
  expect(JSON.parse(again.output)).toMatchObject({ sources: [], tokens: [] });

  const after = await start({ databaseUrl, secretKey: newKey });
  expect((await after.deliver({ id: '2', type, data: {} })).status).toBe(401);
  const rotated = await command(databaseUrl, 'sources', 'rotate', 'main');
  expect(rotated.code).toBe(0);
  const secret = 'the-secret-entered-again';
  const deliverAgain = () => after.deliver({ id: '2', type, data: {} }, { secret });
  // A process notices a rotation by another one within a second.
  await after.relay.clock.advance(1_000);
  expect((await deliverAgain()).status).toBe(202);
  await after.relay.clock.advance(0);
  expect(receiver.arrivals).toHaveLength(2);
  receiver.arrivals.length = 0;
  const key = await after.relay.tokens.rotate('main', before.tokenName);
  await after.relay.clock.advance(10_000);
  expect(receiver.arrivals).toHaveLength(2);
  for (const { body, headers } of receiver.arrivals) {
    const verified = verifyWebhook({
      body,
      signature: headers['x-service-signature'],
      secrets: [key.signingSecret],
      now: () => after.relay.clock.now(),
    });
    expect(verified).toBeDefined();
  }
});

it('a start without the file of the key says where that belongs, and writes no other', async () => {
  const databaseUrl = await freshDatabase();
  const first = await createRelay({ databaseUrl, secretKey });
  await first.sources.add('main', 'secret-of-the-access');
  await first.close();
  const folder = mkdtempSync(join(tmpdir(), 'restored-'));
  const environment = { DATABASE_URL: databaseUrl, RELAY_DATA_DIR: folder, RELAY_SECRET_KEY: '' };
  const refused = await runCommand(['sources', 'list'], environment);
  expect([refused.code, refused.errors]).toEqual([
    1,
    `The secrets in the database were encrypted with a key that is missing here: ${folder}/secret.key does not exist. Copy it from your backup, or from where the relay ran before, or set RELAY_SECRET_KEY. If it is lost, run: secrets reset\n`,
  ]);
  expect(readdirSync(folder)).not.toContain('secret.key');
  expect((await runCommand(['secrets', 'reset'], environment)).code).toBe(0);
  expect(readdirSync(folder)).toContain('secret.key');
});

it('a relay starts only with a key that decrypts all secrets in use', async () => {
  const databaseUrl = await freshDatabase();
  const startAt = '2027-03-01T09:00:00.000Z';
  const open = (key: string) => createRelay({ databaseUrl, secretKey: key, internal: { startAt } });
  const first = await open(secretKey);
  await first.sources.add('main', 'secret-of-the-access');
  await first.close();
  await expect(open(newKey)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });

  const both = await open(`${newKey},${secretKey}`);
  await both.tokens.create('main', 'sealed with the new key');
  await both.close();
  await expect(open(newKey)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });
  await expect(open(secretKey)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });

  const renewing = await open(`${newKey},${secretKey}`);
  await renewing.renewSecrets();
  await renewing.close();
  await (await open(newKey)).close();
});
