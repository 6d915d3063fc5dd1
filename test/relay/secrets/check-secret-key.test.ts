import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { freshDatabase } from '../support/database.ts';
import { secretKey } from '../support/running-relay.ts';

const otherKey = Buffer.alloc(32, 9).toString('base64');
const wrongKey = {
  code: 'secret_key',
  message:
    'A secret in the database was encrypted with a different key. Start the relay with the RELAY_SECRET_KEY that was set when the secret was stored. If that key is lost, run: secrets reset',
};

it('a relay starts only with a key that decrypts all secrets in use', async () => {
  const databaseUrl = await freshDatabase();
  const startAt = '2027-03-01T09:00:00.000Z';
  const open = (key: string) => createRelay({ databaseUrl, secretKey: key, startAt });
  const first = await open(secretKey);
  await first.sources.add('main', 'secret-of-the-access');
  await first.close();
  await expect(open(otherKey)).rejects.toMatchObject(wrongKey);

  const both = await open(`${otherKey},${secretKey}`);
  await both.tokens.create('main', 'sealed with the new key');
  await both.close();
  await expect(open(otherKey)).rejects.toMatchObject(wrongKey);
  await expect(open(secretKey)).rejects.toMatchObject(wrongKey);

  const renewing = await open(`${otherKey},${secretKey}`);
  await renewing.renewSecrets();
  await renewing.close();
  await (await open(otherKey)).close();
});
