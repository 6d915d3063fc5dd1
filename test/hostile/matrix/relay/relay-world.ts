import type { ServerResponse } from 'node:http';
import { makeToken } from '../../../../packages/relay/src/secrets/new-token.ts';
import type { Received } from '../../support/hostile-service.ts';
import { send, World } from '../world.ts';
import { echoing, formNumber, HonestRelay, textWith } from './quoting-relay.ts';
import type { RelayCell } from './relay-cell.ts';
import { expected } from './rule.ts';

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
