import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { keyFromFile } from '../../../packages/relay/src/secrets/key-file.ts';
import { SecretBox } from '../../../packages/relay/src/secrets/secret-box.ts';
import { freshDatabase } from '../support/database.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');
const wrongKey =
  'A secret in the database was encrypted with a different key. Start the relay with the RELAY_SECRET_KEY that was set when the secret was stored. If that key is lost, run: secrets reset';

describe('a secret at rest', () => {
  it('decrypts with its key and use, and has a new ciphertext each time', () => {
    const box = new SecretBox(key);
    const sealed = box.seal('ünder cover', 'token');
    expect(box.open(sealed, 'token')).toBe('ünder cover');
    expect(box.seal('ünder cover', 'token')).not.toEqual(sealed);
    expect(sealed.includes('cover')).toBe(false);
  });

  it('does not decrypt with anything else', () => {
    const sealed = new SecretBox(key).seal('secret', 'token');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(() => new SecretBox(otherKey).open(sealed, 'token')).toThrow(wrongKey);
    expect(() => new SecretBox(key).open(sealed, 'source')).toThrow(wrongKey);
    expect(() => new SecretBox(key).open(changed, 'token')).toThrow(wrongKey);
    expect(() => new SecretBox(key).open(Buffer.alloc(3), 'token')).toThrow(wrongKey);
  });

  it('decrypts with any of several keys, and is encrypted with the first', () => {
    const sealed = new SecretBox(otherKey).seal('secret', 'token');
    const both = new SecretBox(`${key},${otherKey}`);
    expect(both.open(sealed, 'token')).toBe('secret');
    expect(new SecretBox(key).open(both.seal('secret', 'token'), 'token')).toBe('secret');
  });

  it.each(['', 'short', `${key},`, Buffer.alloc(31).toString('base64')])(
    'needs a key of 32 bytes, not "%s"',
    (text) => {
      expect(() => new SecretBox(text)).toThrow(
        'RELAY_SECRET_KEY must be 32 random bytes in base64. Generate it with `openssl rand -base64 32`.',
      );
    },
  );
});

describe('the key file', () => {
  it('is created once, readable only by its owner, even by concurrent starts', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'key-'));
    const keys = await Promise.all(Array.from({ length: 5 }, () => keyFromFile(folder)));
    expect(new Set([...keys, await keyFromFile(folder)]).size).toBe(1);
    expect(new SecretBox(keys[0] ?? '')).toBeInstanceOf(SecretBox);
    expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });
});

it('a relay starts only with a key that decrypts all secrets in use', async () => {
  const databaseUrl = await freshDatabase();
  const startAt = '2027-03-01T09:00:00.000Z';
  const open = (secretKey: string) => createRelay({ databaseUrl, secretKey, startAt });
  const first = await open(key);
  await first.sources.add('main', 'secret-of-the-access');
  await first.close();
  await expect(open(otherKey)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });

  const both = await open(`${otherKey},${key}`);
  await both.tokens.create('main', 'sealed with the new key');
  await both.close();
  await expect(open(otherKey)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });
  await expect(open(key)).rejects.toMatchObject({ code: 'secret_key', message: wrongKey });

  const renewing = await open(`${otherKey},${key}`);
  await renewing.renewSecrets();
  await renewing.close();
  await (await open(otherKey)).close();
});
