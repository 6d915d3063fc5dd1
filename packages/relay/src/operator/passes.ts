import { randomBytes } from 'node:crypto';
import type { RelayContext } from '../context.ts';
import { hashToken } from '../secrets/new-token.ts';

type Kind = 'link' | 'session';

/** Milliseconds that each opens the page. */
const lifeMs = { link: 15 * 60_000, session: 12 * 3_600_000 } as const;

export const sessionSeconds: number = lifeMs.session / 1000;

/**
 * Sign-in links, which work once, and sessions. The database keeps their hashes only, and keeps them
 * for all processes: a link that one prints works at each, and signing out of one is signing out.
 */
export class Passes {
  readonly #context: RelayContext;

  constructor(context: RelayContext) {
    this.#context = context;
  }

  /** A new random value; it is never taken from the browser, so nobody can fix it beforehand. */
  async issue(kind: Kind): Promise<string> {
    const { db, clock } = this.#context;
    const value = randomBytes(32).toString('base64url');
    const now = clock.now();
    await db.deleteFrom('operator_pass').where('expires_at', '<=', new Date(now)).execute();
    await db
      .insertInto('operator_pass')
      .values({ hash: hashToken(value), kind, expires_at: new Date(now + lifeMs[kind]) })
      .execute();
    return value;
  }

  async holds(kind: Kind, value: string): Promise<boolean> {
    const row = await this.#context.db
      .selectFrom('operator_pass')
      .select('kind')
      .where('hash', '=', hashToken(value))
      .where('kind', '=', kind)
      .where('expires_at', '>', new Date(this.#context.clock.now()))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Ends it; whether it was good until now. Of two that use one link at once, one is told so. */
  async end(kind: Kind, value: string): Promise<boolean> {
    const row = await this.#context.db
      .deleteFrom('operator_pass')
      .where('hash', '=', hashToken(value))
      .where('kind', '=', kind)
      .returning('expires_at')
      .executeTakeFirst();
    return row !== undefined && row.expires_at.getTime() > this.#context.clock.now();
  }
}

export const signInPath = '/operator/sign-in';

/**
 * The address of a page that signs in, once and within 15 minutes. Unlike the admin token it is worth
 * nothing in a browser's history or a proxy's log once it was used; opening it uses nothing yet, so a
 * chat's preview does not spend it.
 */
export async function signInLink(passes: Passes, relayUrl: string): Promise<string> {
  return `${relayUrl}${signInPath}?link=${await passes.issue('link')}`;
}
