import { randomBytes } from 'node:crypto';
import type { RelayContext } from '../context.ts';
import { hashToken } from '../secrets/new-token.ts';

type Kind = 'link' | 'session';

/** How long each is valid, in milliseconds. */
const lifeMs = { link: 15 * 60_000, session: 12 * 3_600_000 } as const;

export const sessionSeconds: number = lifeMs.session / 1000;

export type SignInTokens = ReturnType<typeof signInTokens>;

/**
 * One-time sign-in links, and sessions. The database keeps only their hashes and shares them among
 * all processes: a link that one process prints works at every other, and so does a sign-out.
 */
export function signInTokens({ db, clock }: RelayContext, adminToken = '') {
  /** A session is bound to the admin token. A link is printed by a command that may not know it. */
  const hashOf = (kind: Kind, value: string) =>
    hashToken(kind === 'session' ? `${value} ${adminToken}` : value);
  return {
    /**
     * Issues a new random value. It never comes from the browser, so an attacker cannot choose it in
     * advance.
     */
    async issue(kind: Kind): Promise<string> {
      const value = randomBytes(32).toString('base64url');
      const now = clock.now();
      await db.deleteFrom('sign_in_token').where('expires_at', '<=', new Date(now)).execute();
      await db
        .insertInto('sign_in_token')
        .values({ hash: hashOf(kind, value), kind, expires_at: new Date(now + lifeMs[kind]) })
        .execute();
      return value;
    },

    async holds(kind: Kind, value: string): Promise<boolean> {
      const row = await db
        .selectFrom('sign_in_token')
        .select('kind')
        .where('hash', '=', hashOf(kind, value))
        .where('kind', '=', kind)
        .where('expires_at', '>', new Date(clock.now()))
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Ends the pass and returns whether it was valid. If two clients use a link at once, only one
     * gets true.
     */
    async end(kind: Kind, value: string): Promise<boolean> {
      const row = await db
        .deleteFrom('sign_in_token')
        .where('hash', '=', hashOf(kind, value))
        .where('kind', '=', kind)
        .returning('expires_at')
        .executeTakeFirst();
      return row !== undefined && row.expires_at.getTime() > clock.now();
    },
  };
}

export const signInPath = '/operator/sign-in';

/**
 * The address of a sign-in page, valid once and for 15 minutes. Unlike the admin token, a used link
 * is worthless in a browser's history or a proxy's log. Opening the page does not use the link up,
 * so a chat's link preview does not spend it.
 */
export async function signInLink(tokens: SignInTokens, relayUrl: string): Promise<string> {
  return `${relayUrl}${signInPath}?link=${await tokens.issue('link')}`;
}
