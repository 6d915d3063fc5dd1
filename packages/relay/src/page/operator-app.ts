import { assetsApp, navigationLinks, pageHeaders } from '@screen-advertising/server-kit/pages';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { ProblemResponseError, toProblem } from '../base/http.ts';
import { RelayError } from '../base/relay-error.ts';
import type { RelayContext } from '../log/context.ts';
import {
  type ActionName,
  actionOf,
  type ConnectorKeyToShow,
  isActionName,
  noticeOf,
} from './actions.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { eventPage, eventsPage } from './events-page.ts';
import { Gate, readForm } from './gate.ts';
import { overviewPage } from './overview-page.ts';
import { setUpPage } from './set-up-page.ts';
import { isSignedIn, signInApp, signInPath, signInTokens } from './sign-in.ts';
import { sourcesPage } from './sources-page.ts';
import { subscriptionPage, subscriptionsPage } from './subscription-page.ts';
import { tokensPage } from './tokens-page.ts';
import { copyableValue, factList } from './values.ts';
import {
  type DetailPage,
  type DetailPageContent,
  type Html,
  type ListPage,
  type PageInput,
  relayPageLayout,
  relayProduct,
} from './view.ts';

const lists: readonly ListPage[] = [
  overviewPage,
  eventsPage,
  deliveriesPage,
  subscriptionsPage,
  setUpPage,
  sourcesPage,
  tokensPage,
];

const details: readonly DetailPage[] = [eventPage, subscriptionPage];

export interface OperatorOptions {
  /** Without a token, sign-in links are the only way in. */
  readonly adminToken: string | undefined;
  readonly publicUrl: string | undefined;
}

/** The operator's page: `/` and everything under `/operator/`. */
export function operatorApp(
  context: RelayContext,
  { adminToken, publicUrl }: OperatorOptions,
): Hono {
  const app = new Hono();
  const gate = new Gate(publicUrl);
  const signIn = { tokens: signInTokens(context, adminToken), adminToken, isSecure: gate.isSecure };
  const viewOf = (c: Context): PageInput => ({
    context,
    url: new URL(c.req.url),
    relayUrl: gate.addressFor(c.req),
  });
  const guard = (handler: MiddlewareHandler) => {
    for (const path of ['/', '/operator/*']) app.use(path, handler);
  };

  guard(async (c, next) => {
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
    const isRead = ['GET', 'HEAD'].includes(c.req.method);
    const fault = gate.hostFault(c.req) ?? (isRead ? undefined : gate.originFault(c.req));
    return fault ? c.html(messagePage('Refused', fault.detail), fault.status) : next();
  });
  app.route('/', assetsApp(relayProduct));
  app.route('/', signInApp(context, signIn));

  guard(async (c, next) => ((await isSignedIn(c, signIn)) ? next() : c.redirect(signInPath, 303)));
  for (const path of ['/', '/operator/*']) {
    app.get(path, async (c) => {
      const view = viewOf(c);
      const found = await pageAt(view);
      return found ? c.html(signedInPage(found, view.url)) : missing(c);
    });
  }
  app.post('/operator/actions/:action', (c) => {
    const name = c.req.param('action');
    return isActionName(name) ? act(c, viewOf(c), name) : missing(c);
  });
  app.all('/operator/*', missing);
  app.onError(async (error, c) => {
    const { title, detail, status } = await toProblem(error, context.report).json();
    return c.html(messagePage(title, detail), status);
  });
  return app;
}

const navigated = lists.filter(({ partOf }) => partOf === undefined);

async function pageAt(view: PageInput): Promise<DetailPageContent | undefined> {
  const { pathname } = view.url;
  const list = lists.find(({ path }) => path === pathname);
  if (list) return { ...list, content: html`${partsWith(list)}${await list.content(view)}` };
  const detail = details.find(({ under }) => pathname.startsWith(under));
  return detail?.find(view, pathname.slice(detail.under.length));
}

/** Links to the other parts of a page that has some. */
function partsWith({ path, partOf = path }: ListPage): Html | string {
  const parts = lists.filter((one) => [one.path, one.partOf].includes(partOf));
  const links = parts.map((one) =>
    one.path === path ? html`<b>${one.title}</b> ` : html`<a href="${one.path}">${one.title}</a> `,
  );
  return links.length > 1 ? html`<p class="row">${links}</p>` : '';
}

/**
 * Runs the action and redirects, so that a reload does not run it a second time. The page that asked
 * shows why one was refused.
 */
async function act(c: Context, view: PageInput, name: ActionName): Promise<Response> {
  const { context } = view;
  const form = await readForm(c.req.raw);
  const back = backTo(form.from ?? '/', c.req.url);
  const address = `${back.pathname}${back.search}`;
  try {
    const result = await actionOf(name).run(context, form);
    if (result && 'key' in result) {
      return c.html(signedInPage(keyPage(result, address), back), 201);
    }
    const { count = 1, hasMore, what } = result ?? {};
    back.searchParams.set('done', name);
    back.searchParams.set('count', String(count));
    if (hasMore) back.searchParams.set('more', 'true');
    if (what) back.searchParams.set('what', what);
    return c.redirect(`${back.pathname}${back.search}`, 303);
  } catch (error) {
    if (!(error instanceof RelayError || error instanceof ProblemResponseError)) throw error;
    const about = error instanceof RelayError ? error.member : undefined;
    const refused = { action: name, form, about, text: error.message };
    const asked = (await pageAt({ ...view, url: back, refused })) ?? unknownPage;
    const leavesFocus = about !== undefined;
    const notice = { kind: 'refused', text: error.message, leavesFocus } as const;
    return c.html(signedInPage(asked, back, notice), 400);
  }
}

/** Uses only the path, and only if it is a page. */
function backTo(from: string, requestUrl: string): URL {
  const url = URL.parse(from, requestUrl);
  const isPage = url && (url.pathname === '/' || /^\/operator\/[\w/-]+$/.test(url.pathname));
  return new URL(isPage ? `${url.pathname}${url.search}` : '/', requestUrl);
}

function signedInPage(
  { title, intro, content }: DetailPageContent,
  url: URL,
  notice = noticeOf(url),
): Html {
  const pathOfPage = lists.find(({ path }) => path === url.pathname)?.partOf ?? url.pathname;
  return relayPageLayout({
    title,
    intro,
    notice,
    navigation: navigationLinks(navigated, pathOfPage),
    content,
  });
}

function messagePage(title: string, text: string): Html {
  return relayPageLayout({ title, content: html`<p>${text}</p>` });
}

const unknownPage: DetailPageContent = {
  title: 'Not found',
  intro: 'It may have been pruned or deleted.',
  content: html``,
};

const missing = (c: Context) => c.html(signedInPage(unknownPage, new URL(c.req.url)), 404);

/** The database cannot show the key again. */
function keyPage({ key, source, name }: ConnectorKeyToShow, back: string): DetailPageContent {
  return {
    title: 'Connector key',
    intro: `For the token "${name}" of the source "${source}". It is shown only once: copy it now.`,
    content: html`${factList([
      ['Connector key', copyableValue(key.connectorKey, 'the connector key')],
      ['Token', copyableValue(key.token, 'the token')],
      ['Signing secret', copyableValue(key.signingSecret, 'the signing secret')],
    ])}
<p>Paste the connector key into a connector. The token and the signing secret are its two parts, for use in your own programs.</p>
<p><a href="${back}">Back</a></p>`,
  };
}
