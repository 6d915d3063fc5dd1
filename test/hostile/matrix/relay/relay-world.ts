import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { makeToken } from '../../../../packages/relay/src/secrets/new-token.ts';
import { formsOf } from '../../../support/secret-forms.ts';
import type { Received } from '../../support/hostile-service.ts';
import { send, World } from '../world.ts';
import type { RelayCell } from './relay-cell.ts';
import { expected } from './rule.ts';

/** A secret in one of the forms in which another server may quote it. */
function formNumber(secrets: readonly string[], nth: number): string {
  const forms = secrets.flatMap((secret) => Object.values(formsOf(secret)));
  return forms[nth % forms.length] ?? '';
}

/** A text with the key that the relay was given, and characters that no error may show. */
function textWith(form: string): string {
  return `You sent\u001b[31m ${form}\u202e\u009b here`;
}

/**
 * Puts this text wherever a faulty response says something. Zapier itself logs the headers of every
 * response, whatever the app does, so the headers of its cells quote nothing.
 */
function echoing(
  response: ServerResponse,
  form: string,
  { inHeaders }: { readonly inHeaders: boolean },
): ServerResponse {
  const { end, writeHead } = response;
  const words = textWith(form);
  const said: readonly (readonly [string, string])[] = [
    ['"A fault."', JSON.stringify(words)],
    ['"A title"', JSON.stringify(words)],
    ['"It broke"', JSON.stringify(words)],
    ['<h1>It broke</h1>', `<title>${words}</title>`],
    ['<h1>Sign in</h1>', `<title>${words}</title>`],
  ];
  return Object.assign(response, {
    end: (body?: unknown) => {
      const text =
        typeof body === 'string'
          ? said.reduce((all, [from, to]) => all.replaceAll(from, () => to), body)
          : body;
      return Reflect.apply(end, response, [text]);
    },
    writeHead: (status: number, headers: Record<string, unknown> = {}) => {
      if (!inHeaders) return writeHead.call(response, status, headers as OutgoingHttpHeaders);
      const { location } = headers;
      const echoed = { ...headers, 'x-echo': form };
      const leading = location && { location: `${location}?${encodeURIComponent(form)}` };
      return writeHead.call(response, status, { ...echoed, ...(leading as object) });
    },
  });
}

const event = {
  id: 'evt_0001',
  type: 'coupon.redeemed',
  received_at: '2027-03-01T09:00:00.000Z',
  position: '1-0000002a',
  data: { code: 'SPRING-25' },
  payload: { id: 'evt_0001', type: 'coupon.redeemed', data: { code: 'SPRING-25' } },
};

/** The subscriptions of one key, and one event. It says this wherever its texts are free. */
class HonestRelay {
  readonly #says: string;
  #subscription: Record<string, unknown>;

  constructor(says: string) {
    this.#says = says;
    this.#subscription = {
      id: 'sub_0001',
      target_url: 'https://old.example',
      events: [event.type],
      name: says,
      state: 'active',
      off_reason: null,
      created_at: event.received_at,
    };
  }

  respond({ method, path, body }: Received): Response {
    const { pathname, searchParams } = new URL(path, 'http://relay.example');
    const [, list, id, action] = pathname.split('/');
    if (list === 'me') {
      return Response.json({ name: this.#says, source: this.#says, rights: ['subscribe'] });
    }
    if (list === 'events') return Response.json(id ? event : this.#events(searchParams));
    if (action === 'test') return Response.json(this.#test());
    if (method === 'PUT') Object.assign(this.#subscription, JSON.parse(body));
    if (method === 'GET' && !id) return Response.json(this.#subscriptions());
    return Response.json(this.#subscription);
  }

  #events(query: URLSearchParams) {
    const after = query.get('after');
    const isRead = after === 'newest' || after === event.position;
    return page(isRead ? [] : [event], after === 'newest' ? '1-00000001' : event.position);
  }

  #subscriptions() {
    const leftover = { ...this.#subscription, id: 'sub_0000' };
    return page([this.#subscription, leftover]);
  }

  #test() {
    const result = { event_id: event.id, event_type: event.type, is_sample: true };
    return { delivered: true, ...result, status: 200, error: null, note: this.#says };
  }
}

function page(data: readonly unknown[], position?: string) {
  const pagination = { cursor: null, has_more: false, ...(position && { position }) };
  return { data, pagination };
}

/** A relay that quotes the connector key wherever it can. */
export class RelayWorld extends World<RelayCell> {
  readonly key = makeToken();
  readonly secrets = [this.key.connectorKey, this.key.token, this.key.signingSecret];
  /** Whether the cell's action cannot succeed. */
  mustFail = false;
  #relay = new HonestRelay('');
  #form = '';
  #isStriking = false;
  #startedAt = 0;
  #played = 0;

  override enter(cell: RelayCell): void {
    super.enter(cell);
    this.time.restart();
    this.#played += 1;
    this.#form = formNumber(this.secrets, this.#played);
    this.#relay = new HonestRelay(textWith(this.#form));
    this.#isStriking = false;
    this.mustFail = expected(cell).ends === 'fails';
  }

  /** From now on the fault strikes, and time counts. */
  strike(): void {
    this.#isStriking = true;
    this.#startedAt = this.clock.now();
  }

  /** Milliseconds since then. */
  get elapsed(): number {
    return this.clock.now() - this.#startedAt;
  }

  /** Opens an address of something else than the relay. */
  open(respond: (received: Received) => Response): { baseUrl: string; leave: () => void } {
    return this.service.open(async (received, response) => send(respond(received), response));
  }

  protected override async answer(received: Received): Promise<Response> {
    return this.#relay.respond(received);
  }

  protected override isTarget({ method, path }: Received): boolean {
    const { route } = (this.cell as RelayCell).call;
    return this.#isStriking && method === route.method && route.path.test(path);
  }

  protected override spoiled(response: ServerResponse): ServerResponse {
    return echoing(response, this.#form, { inHeaders: this.cell?.platform !== 'zapier' });
  }
}
