import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Database } from './database.ts';
import { RelayError } from './relay-error.ts';
import type { SourceTable, TokenTable } from './tables.ts';

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

/** Encrypted, as stored in the database. */
export type SealedSecrets = Pick<TokenTable, 'secret' | 'previous_secret' | 'previous_until'> &
  Partial<Pick<SourceTable, 'verified_at'>>;

interface Opening {
  readonly box: SecretBox;
  readonly clock: ScheduledClock;
}

/**
 * The current secret, and the previous one while it is valid: for a source, at least until the
 * current one has verified a delivery.
 */
export function decryptSecrets(
  { box, clock }: Opening,
  row: SealedSecrets,
  use: 'source' | 'token',
): string[] {
  const secrets = [box.open(row.secret, use)];
  const isValid = row.verified_at === null || Number(row.previous_until) > clock.now();
  if (row.previous_secret && isValid) secrets.push(box.open(row.previous_secret, use));
  return secrets;
}

/** Rejects with a RelayError unless the key decrypts every secret that is still in use. */
export async function checkSecretKey(context: Opening & Pick<Database, 'db'>): Promise<void> {
  const { db } = context;
  const sources = await db.selectFrom('source').selectAll().execute();
  for (const source of sources) decryptSecrets(context, source, 'source');
  const tokens = await db
    .selectFrom('token')
    .select(['secret', 'previous_secret', 'previous_until'])
    .where('revoked_at', 'is', null)
    .execute();
  for (const token of tokens) decryptSecrets(context, token, 'token');
}

/** A new token and its secret, which are shown once. */
export interface NewToken {
  readonly token: string;
  readonly signingSecret: string;
  /** Token and secret in one value, to paste into a connector. */
  readonly connectorKey: string;
}

export function makeToken(): NewToken {
  const token = `rly_${randomBytes(32).toString('base64url')}`;
  const signingSecret = makeSigningSecret();
  return { token, signingSecret, connectorKey: `${token}.${signingSecret}` };
}

/** In the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Tokens are long and random, so a fast hash is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

interface Kept {
  readonly text: string;
  /** Undefined unless this start created it. */
  readonly newFile?: string;
}

export function keyFromFile(folder: string): Promise<Kept> {
  return keptIn(folder, 'secret.key', () => randomBytes(32).toString('base64'));
}

/** The token that operators sign in to the relay's page with. */
export async function adminTokenFromFile(folder: string): Promise<string> {
  const make = () => `adm_${randomBytes(32).toString('base64url')}`;
  return (await keptIn(folder, 'admin.token', make)).text;
}

/**
 * A start without the key of the database's secrets leaves no other key behind, which would look like
 * the lost one. Rejects with a RelayError that says where that belongs.
 */
export async function removeNewKeyAndReject(newFile: string, cause: unknown): Promise<never> {
  await unlink(newFile);
  throw new RelayError(
    'secret_key',
    `The secrets in the database were encrypted with a key that is missing here: ${newFile} does not exist. Copy it from your backup, or from where the relay ran before, or set RELAY_SECRET_KEY. If it is lost, run: secrets reset`,
    { cause },
  );
}

/** Created on the first start, readable only by its owner. */
async function keptIn(folder: string, name: string, make: () => string): Promise<Kept> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return { text: text.trim() };
  const unfinished = `${path}-${randomUUID()}`;
  await writeFile(unfinished, `${make()}\n`, { mode: 0o600, flush: true });
  // Linked instead of renamed: if two processes start at once, the first one wins.
  const isFirst = await link(unfinished, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  await unlink(unfinished);
  const kept = (await readFile(path, 'utf8')).trim();
  return { text: kept, ...(isFirst && { newFile: path }) };
}
