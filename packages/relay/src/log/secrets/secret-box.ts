import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { RelayError } from '../../relay-error.ts';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Encrypts secrets for the database, with a key that is kept elsewhere. */
export class SecretBox {
  readonly #key: Buffer;
  readonly #keys: readonly Buffer[];

  /**
   * Takes 32-byte keys in base64, separated by commas. The first encrypts; any of them decrypts.
   */
  constructor(keys: string) {
    this.#keys = keys.split(',').map(keyOf);
    this.#key = this.#keys[0] ?? keyOf('');
  }

  /** The use is authenticated: a secret that is moved to another column does not decrypt. */
  seal(secret: string, use: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(use));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  open(sealed: Buffer, use: string): string {
    let cause: unknown;
    for (const key of this.#keys) {
      try {
        return openWith(key, sealed, use);
      } catch (error) {
        cause = error;
      }
    }
    throw new RelayError(
      'secret_key',
      'A secret in the database was encrypted with a different key. Start the relay with that one, in RELAY_SECRET_KEY, or in secret.key in RELAY_DATA_DIR. If it is lost, run: secrets reset',
      { cause },
    );
  }
}

function keyOf(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new RelayError(
    'secret_key',
    'RELAY_SECRET_KEY must be 32 random bytes in base64. Generate it with `openssl rand -base64 32`.',
  );
}

function openWith(key: Buffer, sealed: Buffer, use: string): string {
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv(algorithm, key, nonce)
    .setAAD(Buffer.from(use))
    .setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const secret = decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8');
  return secret + decipher.final('utf8');
}
