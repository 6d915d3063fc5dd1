import {
  assetsApp,
  formatMoment,
  type Html,
  livePart,
  type Notice,
  navigationLinks,
  pageHeaders,
  pageLayout,
} from '@screen-advertising/server-kit/pages';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { ExchangeEnv } from '../http/exchange.ts';
import { guardAdmin, guardLocalMachine } from '../http/guards.ts';
import { ProblemResponseError } from '../http/problem-response-error.ts';
import type { Sandbox } from '../sandbox.ts';
import { actionOf, isActionName } from './actions.ts';
import { adminCommands } from './commands.ts';
import { eventsPage } from './events-page.ts';
import { faultsPage } from './faults-page.ts';
import { journalPage } from './journal-page.ts';
import { campaignRequestsPage, couponsPage, usersPage } from './record-pages.ts';
import { screensPage } from './screens-page.ts';
import { startPage } from './start-page.ts';
import {
  actionForm,
  type InspectorPageDefinition,
  type PageInput,
  sandboxProduct,
} from './view.ts';

/** Ordered as in the navigation. */
const pages: readonly InspectorPageDefinition[] = [
  startPage,
  screensPage,
  couponsPage,
  usersPage,
  campaignRequestsPage,
  eventsPage,
  journalPage,
  faultsPage,
];

type Call = Context<ExchangeEnv>;

/** Pages at the root that show the sandbox's state and let people change it. */
export function inspectorApp(sandbox: Sandbox, isOpen: boolean): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.route('/', assetsApp(sandboxProduct));
  for (const page of pages) {
    app.get(page.path, (c) => {
      guardLocalMachine(c.env.exchange, isOpen);
      const { url } = c.env.exchange;
      return show(c, sandbox, page, { url, notice: noticeOf(url) });
    });
  }
  for (const path of ['/inspector', '/inspector/']) app.get(path, (c) => c.redirect('/', 301));
  app.post('/inspector/actions/:action', (c) => {
    guardAdmin(c.env.exchange, isOpen);
    return act(c, sandbox, c.req.param('action'));
  });
  return app;
}

async function act(c: Call, sandbox: Sandbox, name: string): Promise<Response> {
  const { exchange } = c.env;
  if (!isActionName(name))
    throw new ProblemResponseError('not-found', `There is no action ${name}.`);
  const form = new URLSearchParams(exchange.body);
  // Returns only to pages of the inspector.
  const from = URL.parse(form.get('from') ?? '/', exchange.url.href);
  form.delete('from');
  const page = pages.find(
    ({ path }) => path === from?.pathname && from.origin === exchange.url.origin,
  );
  if (!from || !page) {
    throw new ProblemResponseError('invalid-parameter', 'from must be a page of the sandbox.');
  }
  try {
    await adminCommands[name](sandbox, actionOf(name).read(form));
  } catch (error) {
    if (!(error instanceof ProblemResponseError)) throw error;
    const notice: Notice = { kind: 'refused', text: error.message };
    return show(c, sandbox, page, { url: from, notice, status: 400 });
  }
  from.searchParams.set('done', name);
  return c.redirect(`${from.pathname}${from.search}`, 303);
}

/** How one request sees a page. */
interface Showing {
  readonly url: URL;
  /** The result of the last action. */
  readonly notice: Notice | undefined;
  /** Default: 200. */
  readonly status?: 400;
}

/** A whole page: navigation, clock, the last action's message, and the page's content. */
async function show(
  c: Call,
  sandbox: Sandbox,
  { path, title, intro, content }: InspectorPageDefinition,
  { url, notice, status }: Showing,
): Promise<Response> {
  const view = { sandbox, url };
  const reset = actionForm(url, {
    action: 'reset',
    confirm: 'This deletes everything you created here. Continue?',
    content: html`<button class="small">Reset the sandbox</button>`,
  });
  const page = pageLayout(sandboxProduct, {
    title,
    intro,
    notice,
    header: clockBar(view),
    navigation: navigationLinks(pages, path),
    content: content(view),
    footer: html`<p>Made-up data on this machine. Nothing here reaches the real service.
<a href="/_sandbox/openapi.json">OpenAPI document</a></p>
${reset}`,
  });
  return c.html(page, status ?? 200, pageHeaders);
}

function noticeOf(url: URL): Notice | undefined {
  const done = url.searchParams.get('done') ?? '';
  return isActionName(done) ? { kind: 'done', text: actionOf(done).done } : undefined;
}

const minuteMs = 60_000;

/**
 * The retry intervals of deliveries, the lifetime of a token, and spans in which coupons expire.
 */
const steps: readonly (readonly [ms: number, label: string])[] = [
  [1_000, '1 second'],
  [5_000, '5 seconds'],
  [30_000, '30 seconds'],
  [2 * minuteMs, '2 minutes'],
  [10 * minuteMs, '10 minutes'],
  [60 * minuteMs, '1 hour'],
  [24 * 60 * minuteMs, '1 day'],
  [30 * 24 * 60 * minuteMs, '30 days'],
];

/** Shows the sandbox's time and the controls for it. */
function clockBar(view: PageInput): Html {
  const { clock } = view.sandbox;
  const advance = html`<label for="advance-ms" class="hidden">Advance by</label>
<select id="advance-ms" name="ms">
${steps.map(([ms, label]) => html`<option value="${ms}">${label}</option>`)}
</select>
<button id="clock-advance">Advance</button>`;
  return html`<section class="clock" aria-label="Clock">
${livePart(
  'clock-now',
  html`<span class="now">${formatMoment(clock.now())} <abbr title="Coordinated Universal Time">UTC</abbr></span>
<span class="quiet">${clock.isFrozen ? 'frozen' : 'running'}</span>
${actionForm(view.url, {
  action: clock.isFrozen ? 'run-clock' : 'freeze-clock',
  content: html`<button id="clock-switch">${clock.isFrozen ? 'Run' : 'Freeze'}</button>`,
})}`,
)}
${actionForm(view.url, { action: 'advance-clock', content: advance })}
</section>`;
}
