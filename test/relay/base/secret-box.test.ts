import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { keyFromFile, SecretBox } from '../../../packages/relay/src/base/secrets.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');
const wrongKey =
  'A secret in the database was encrypted with a different key. Start the relay with that one, in RELAY_SECRET_KEY, or in secret.key in RELAY_DATA_DIR. If it is lost, run: secrets reset';

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

it('the key file is created once, readable only by its owner, even by concurrent starts', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'key-'));
  const kept = await Promise.all(Array.from({ length: 5 }, () => keyFromFile(folder)));
  const { text } = await keyFromFile(folder);
  expect(new Set([...kept.map((one) => one.text), text]).size).toBe(1);
  expect(kept.filter(({ newFile }) => newFile !== undefined)).toHaveLength(1);
  expect(new SecretBox(text)).toBeInstanceOf(SecretBox);
  expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret.key']);
});
