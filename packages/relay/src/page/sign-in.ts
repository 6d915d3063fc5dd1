import { randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import type { Notice } from '@screen-advertising/server-kit/pages';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { hashToken } from '../base/secrets.ts';
import type { RelayContext } from '../log/context.ts';
import { readForm } from './gate.ts';
import { isInUse, setUpPath } from './set-up-page.ts';
import { type Html, relayPageLayout } from './view.ts';

/** In the image, which has a link of this name to the program. */
const inImage = 'relay';

/** How users run the relay's commands: in a clone, in the image, or installed. */
export const commandLine: string =
  path.basename(process.argv[1] ?? '') === inImage
    ? inImage
    : import.meta.url.endsWith('.ts')
      ? 'npx -y pnpm@12 run relay'
      : 'npx @screen-advertising/relay';

type Kind = 'link' | 'session';

/** How long each is valid, in milliseconds. */
const lifeMs = { link: 15 * 60_000, session: 12 * 3_600_000 } as const;

const sessionSeconds: number = lifeMs.session / 1000;

type SignInTokens = ReturnType<typeof signInTokens>;

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

interface SignIn {
  readonly tokens: SignInTokens;
  readonly adminToken: string | undefined;
  /** Whether the browser must send the cookie only over https. */
  readonly isSecure: boolean;
}

const endedLink = 'This link was already used or is older than 15 minutes. Print another.';

/**
 * The prefix makes browsers reject a cookie set by another host of the domain. Browsers send a cookie to
 * every port of a host, so that of one relay on 127.0.0.1 must not replace that of another.
 */
function cookieName(c: Context, isSecure: boolean): string {
  return isSecure ? '__Host-relay' : `relay_session_${new URL(c.req.url).port}`;
}

export async function isSignedIn(c: Context, { tokens, isSecure }: SignIn): Promise<boolean> {
  const session = getCookie(c, cookieName(c, isSecure));
  return session !== undefined && (await tokens.holds('session', session));
}

export function signInApp(context: RelayContext, options: SignIn): Hono {
  const { tokens, adminToken, isSecure } = options;
  const app = new Hono();

  const refuse = (c: Context, text: string) =>
    c.html(signInPage(tokenForm(adminToken), { kind: 'refused', text }), 401);

  const open = async (c: Context) => {
    await endSession(c);
    setCookie(c, cookieName(c, isSecure), await tokens.issue('session'), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: sessionSeconds,
      secure: isSecure,
    });
    return c.redirect((await isInUse(context)) ? '/' : setUpPath, 303);
  };
  const endSession = async (c: Context) => {
    const session = getCookie(c, cookieName(c, isSecure));
    if (session !== undefined) await tokens.end('session', session);
  };

  app.get(signInPath, async (c) => {
    const link = c.req.query('link');
    if (link !== undefined && (await tokens.holds('link', link))) {
      return c.html(signInPage(linkForm(link)));
    }
    if (await isSignedIn(c, options)) return c.redirect('/', 303);
    if (link !== undefined) return refuse(c, endedLink);
    return c.html(signInPage(tokenForm(adminToken)));
  });
  app.post(signInPath, async (c) => {
    const { link, token = '' } = await readForm(c.req.raw);
    if (link !== undefined) {
      if (await tokens.end('link', link)) return open(c);
      return refuse(c, endedLink);
    }
    if (isAdminToken(token, adminToken)) return open(c);
    return refuse(c, 'Wrong admin token.');
  });
  app.post('/operator/sign-out', async (c) => {
    await endSession(c);
    deleteCookie(c, cookieName(c, isSecure), { path: '/', secure: isSecure });
    return c.redirect(signInPath, 303);
  });
  return app;
}

function signInPage(content: Html, notice?: Notice): Html {
  return relayPageLayout({ title: 'Sign in', notice, content });
}

/** A button, so that link previews do not use the link up. */
function linkForm(link: string): Html {
  return html`<p class="intro">This link works once and signs you in for 12 hours.</p>
<form method="post" action="${signInPath}" class="card narrow">
<input type="hidden" name="link" value="${link}">
<button class="primary">Sign in</button>
</form>`;
}

function tokenForm(adminToken: string | undefined): Html {
  const command = html`<p>On the relay's machine, <code>${commandLine} sign-in</code> prints a sign-in link. Run it with the relay's environment variables, such as RELAY_DATA_DIR, PORT, and PUBLIC_URL.</p>`;
  if (adminToken === undefined) return html`<div class="card narrow">${command}</div>`;
  return html`<form method="post" action="${signInPath}" class="card narrow stack">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" aria-describedby="token-help">
<p id="token-help" class="quiet">RELAY_ADMIN_TOKEN, or the file <code>admin.token</code> in the folder of RELAY_DATA_DIR.</p>
<button class="primary">Sign in</button>
</form>
${command}`;
}

/** Compares in constant time. */
function isAdminToken(given: string, adminToken: string | undefined): boolean {
  return adminToken !== undefined && timingSafeEqual(hashToken(given), hashToken(adminToken));
}
