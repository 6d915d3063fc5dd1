import { expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { formsOf } from '../../support/secret-forms.ts';
import { onDatabase, secretKey, sourceSecret, start } from '../support/running-relay.ts';

/** Every row of every table in PostgreSQL's text format, with bytes in hex. */
async function dump(databaseUrl: string): Promise<string> {
  return onDatabase(databaseUrl, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name
      FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    let text = '';
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT row::text AS row FROM ${name} AS row`,
      );
      text += rows.map(({ row }) => `${name} ${row}\n`).join('');
    }
    return text;
  });
}

/** A secret in every form in which it could be stored. */
function shapesOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret.replace(/^whsec_|^rly_/, ''), 'base64');
  return {
    ...formsOf(secret),
    hex: Buffer.from(secret).toString('hex'),
    'bytes in hex': bytes.toString('hex'),
    'bytes in base64': bytes.toString('base64'),
    'base64 in hex': Buffer.from(Buffer.from(secret).toString('base64')).toString('hex'),
    // Even part of a secret is too much.
    'first half': secret.slice(0, secret.length / 2),
    'first half in hex': Buffer.from(secret.slice(0, secret.length / 2)).toString('hex'),
  };
}

it('a dump of the database contains no secret and no token, after every operation that uses them', async () => {
  const failing = await startReceiver([500]);
  const running = await start();
  const { relay, key, call, deliver } = running;
  const secrets = [sourceSecret, 'the-second-signing-secret-of-the-service', secretKey];
  const keys = [key, await relay.tokens.create('main', 'rotated')];
  keys.push(await relay.tokens.rotate('main', 'rotated'));
  keys.push(await relay.tokens.create('main', 'revoked'));
  await relay.sources.rotate('main', secrets[1] ?? '');
  for (const { token } of keys) {
    const body = { target_url: failing.url, events: ['campaign.paid'], name: 'Zap' };
    await call('PUT', '/subscriptions', body, token);
  }
  await relay.tokens.revoke('main', 'revoked');
  await deliver({ id: '1', type: 'campaign.paid' });
  await deliver({ id: '2', type: 'campaign.paid' }, { secret: secrets[1] ?? '' });
  await deliver({ id: '3', type: 'campaign.paid' }, { secret: 'forged' });
  await relay.clock.advance(60_000);
  secrets.push(
    ...keys.flatMap(({ token, signingSecret, connectorKey }) => [
      token,
      signingSecret,
      connectorKey,
    ]),
  );
  const text = await dump(running.databaseUrl);
  for (const table of ['source', 'token', 'subscription', 'event', 'delivery', 'attempt']) {
    expect(text).toContain(`public.${table} (`);
  }
  const found = secrets.flatMap((secret) =>
    Object.entries(shapesOf(secret))
      .filter(([, shape]) => text.includes(shape))
      .map(([shape]) => `${shape}: ${secret}`),
  );
  expect(found).toEqual([]);
  // Proves that the search finds stored values, both bytes in hex and plain text.
  expect(text).toContain(Buffer.from('{"id":"1"').toString('hex'));
  expect(text).toContain(failing.url);
});
