import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, request } from 'undici';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { type Options, type Running, start } from '../support/running-relay.ts';

export const adminToken = 'adm_0123456789012345678901234567890';

export const listPaths = [
  '/',
  '/operator/events',
  '/operator/deliveries',
  '/operator/deliveries?state=pending',
  '/operator/deliveries?state=dead',
  '/operator/subscriptions',
  '/operator/sources',
  '/operator/tokens',
  '/operator/set-up',
];

interface PageResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
}

export const signInPath = '/operator/sign-in';

type Headers = Readonly<Record<string, string>>;

/** What a browser without scripts does, and what attackers can do beyond it. */
export class Visitor {
  readonly url: string;
  cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  get(path: string, headers: Headers = {}): Promise<PageResponse> {
    return this.send('GET', path, null, headers);
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Headers = { origin: this.url, 'sec-fetch-site': 'same-origin' },
  ): Promise<PageResponse> {
    return this.send('POST', path, new URLSearchParams(fields).toString(), headers);
  }

  /** Submits a form of a page, follows the redirect, and returns the notice it shows. */
  async submit(action: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const response = await this.post(`/operator/actions/${action}`, fields);
    const { location } = response.headers;
    return noticeIn(location === undefined ? response.html : (await this.get(location)).html);
  }

  async signIn(): Promise<this> {
    await this.post(signInPath, { token: adminToken });
    return this;
  }

  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    body: string | null,
    headers: Headers,
  ): Promise<PageResponse> {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await request(`${this.url}${path}`, {
      ...{ method, body },
      headers: {
        ...(body !== null && form),
        ...(this.cookie && { cookie: this.cookie }),
        ...headers,
      },
    });
    const setCookie = [response.headers['set-cookie']].flat().at(-1);
    if (setCookie !== undefined) this.cookie = setCookie.split(';')[0] ?? '';
    const html = await response.body.text();
    return { status: response.statusCode, headers: response.headers, html };
  }
}

/** Presses the button of a sign-in link. */
export function openLink(visitor: Visitor, link: string): Promise<PageResponse> {
  return visitor.post(signInPath, { link: new URL(link).searchParams.get('link') ?? '' });
}

/** The name of the cookie of a relay without HTTPS. */
export const cookieOf = (url: string): string => `relay_session_${new URL(url).port}`;

export const isIn = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.get('/')).status === 200;

/** The page's notice of the last action, without markup. */
export function noticeIn(html: string): string {
  const text = html.match(/<p class="notice \w+"[^>]*>([^<]*)<\/p>/)?.[1] ?? '';
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

export interface Opened extends Running {
  readonly visitor: Visitor;
}

/** A relay with a visitor who is signed in to its page. */
export async function openPage(options: Options = {}): Promise<Opened> {
  const running = await start({ adminToken, ...options });
  return { ...running, visitor: await new Visitor(running.url).signIn() };
}

export interface Lively extends Opened {
  readonly subscription: string;
  /** IDs of one delivered and one dead event. */
  readonly delivered: string;
  readonly dead: string;
  readonly arrivals: readonly unknown[];
}

/** With one event delivered, one dead, and one waiting. */
export async function openLivelyPage(options: Options = {}): Promise<Lively> {
  const receiver = await startReceiver([200, 410]);
  const opened = await openPage(options);
  const { call, deliver, relay } = opened;
  const subscribe = (events: string[]) =>
    call('PUT', '/subscriptions', { target_url: receiver.url, events, name: 'Zap' });
  const events = ['campaign.paid', 'user.registered'];
  await subscribe(events);
  await deliver({ id: 'one', type: 'campaign.paid', data: { amount_cents: 4200 } });
  await relay.clock.advance(1_000);
  await deliver({ id: 'two', type: 'user.registered', data: { user_id: 'usr_1' } });
  await relay.clock.advance(1_000);
  const { body } = await subscribe(events);
  receiver.answers.push(500);
  await deliver({ id: 'three', type: 'campaign.paid', data: {} });
  await relay.clock.advance(0);
  const { body: stored } = await call('GET', '/events');
  const [, dead, delivered] = stored.data.map(({ id }: { id: string }) => id);
  return { ...opened, subscription: body.id, dead, delivered, arrivals: receiver.arrivals };
}

/** The ID of an event's delivery, as the pages show it. */
export function deliveryOf(event: string, subscription = 1): string {
  return `${event.replace('evt_', 'dlv_')}_${subscription}`;
}
