import { randomBytes } from 'node:crypto';
import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';
import { followProblemUrl } from './problem-url.ts';

export interface SourceInfo {
  readonly name: string;
  readonly created_at: string;
  /** Whether it has a random secret until it gets the one of its access, and rejects every event. */
  readonly awaits_secret: boolean;
}

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** The Screen Advertising team needs time to switch to a new secret. */
const overlapMs = 7 * 24 * 3_600_000;

export type SourceAdmin = ReturnType<typeof sourceAdmin>;

/** One source per access: where the service delivers, and the secret it signs with. */
export function sourceAdmin(context: RelayContext) {
  const { db, box, clock } = context;
  return {
    /**
     * Without the signing secret of the access, which often comes only after the source's address was
     * registered, the source has a random one, so that events cannot be forged.
     */
    async add(name: string, signingSecret?: string): Promise<SourceInfo> {
      if (!namePattern.test(name)) {
        throw new RelayError(
          'conflict',
          `The name of a source must have up to 63 lowercase letters, digits, and hyphens, such as "main", not "${name}".`,
        );
      }
      const created_at = new Date(clock.now());
      const awaits_secret = signingSecret === undefined;
      const secret = awaits_secret ? randomBytes(32).toString('hex') : secretOf(signingSecret);
      const added = await db
        .insertInto('source')
        .values({ name, secret: box.seal(secret, 'source'), awaits_secret, created_at })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('number')
        .executeTakeFirst();
      if (!added) {
        throw new RelayError(
          'conflict',
          `The source "${name}" already exists. Rotate its secret, or choose another name.`,
        );
      }
      // At its start, the relay has done this for the sources that it had.
      if (context.problemUrl !== undefined) await followProblemUrl(context);
      return { name, created_at: created_at.toISOString(), awaits_secret };
    },

    async list(): Promise<SourceInfo[]> {
      const rows = await db.selectFrom('source').selectAll().orderBy('number').execute();
      return rows.map(({ name, created_at, awaits_secret }) => ({
        name,
        created_at: created_at.toISOString(),
        awaits_secret,
      }));
    },

    /** Sets a new signing secret. The previous one stays valid for seven more days. */
    async rotate(name: string, signingSecret: string): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('source')
        .set((row) => ({
          previous_secret: row.ref('secret'),
          previous_until: new Date(clock.now() + overlapMs),
          secret: box.seal(secretOf(signingSecret), 'source'),
          awaits_secret: false,
        }))
        .where('name', '=', name)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new RelayError('not_found', `There is no source "${name}".`);
    },
  };
}

/** Values that people paste by mistake. The contract does not show how a secret looks. */
const notSecrets = [
  [/^$/, 'is empty'],
  [/\p{Cc}/u, 'has a line break or another control character'],
  [/^rly_[\w-]{43}(?:\.|$)/, 'is a connector key of the relay, which belongs in n8n or Zapier'],
  [/^https?:\/\//i, 'is a web address'],
  [/^signing secret\s*:/i, 'begins with its label'],
] as const;

function secretOf(text: string): string {
  const secret = text.trim();
  const [, fault] = notSecrets.find(([pattern]) => pattern.test(secret)) ?? [];
  if (fault === undefined) return secret;
  throw new RelayError(
    'conflict',
    `The signing secret of the source ${fault}. Paste the secret alone, as the Screen Advertising team sent it.`,
  );
}
