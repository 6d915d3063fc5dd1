import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { RelayError } from '../relay-error.ts';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Encrypts what the database keeps, with a key that lies outside of it. */
export class SecretBox {
  readonly #key: Buffer;

  /** The key: 32 bytes in base64. */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64');
    if (this.#key.length === 32) return;
    throw new RelayError(
      'secret_key',
      'RELAY_SECRET_KEY must be 32 random bytes in base64, as `openssl rand -base64 32` prints them.',
    );
  }

  /** The use is part of the seal: a secret that is moved to another column does not open. */
  seal(secret: string, use: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(use));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, use: string): string {
    try {
      const nonce = sealed.subarray(0, nonceLength);
      const decipher = createDecipheriv(algorithm, this.#key, nonce)
        .setAAD(Buffer.from(use))
        .setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
      return (
        decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') +
        decipher.final('utf8')
      );
    } catch (cause) {
      throw new RelayError(
        'secret_key',
        'A secret in the database was encrypted with another key. Start the relay with the RELAY_SECRET_KEY that it had when the secret was stored.',
        { cause },
      );
    }
  }
}
