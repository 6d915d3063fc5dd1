import { type History, type Place, type Put, type SentEvent, wants } from './history.ts';
import type { Scene } from './scene.ts';

/** Longer than a sender takes to notice a change, on a busy machine. */
const noticeMs = 5_000;

interface Row {
  readonly number: number;
  readonly id: string;
  readonly generation: number;
  readonly state: string;
  readonly off_reason: string | null;
  readonly target_url: string;
  readonly token: string;
  readonly lease_generation: number | null;
}

interface Delivery {
  readonly subscription: number;
  readonly number: number;
  readonly state: string;
  readonly replays: number;
  readonly accepted: number;
  /** Milliseconds since 1970. */
  readonly last_at: number | null;
}

const rowStatement = `
SELECT subscription.number, 'sub_' || replace(subscription.id::text, '-', '') AS id,
  subscription.generation, state, off_reason, target_url, token.name AS token,
  lease.generation AS lease_generation
FROM subscription JOIN token ON token.number = token_number
LEFT JOIN lease ON subscription_number = subscription.number`;

const deliveryStatement = `
SELECT delivery.subscription_number AS subscription, state, replays, event.position,
  count(*) FILTER (WHERE status BETWEEN 200 AND 299)::integer AS accepted,
  (extract(epoch FROM max(at)) * 1000)::float8 AS last_at
FROM delivery JOIN event USING (source_number, position)
LEFT JOIN attempt ON attempt.source_number = delivery.source_number
  AND attempt.position = delivery.position
  AND attempt.subscription_number = delivery.subscription_number
GROUP BY delivery.subscription_number, state, replays, event.position`;

/** What is wrong once every request has its response; in words. */
export async function violationsOfRows(scene: Scene): Promise<readonly string[]> {
  const { history } = scene;
  const rows: readonly Row[] = (await scene.query(rowStatement)).rows;
  return eachPlace(scene, rows, (place, row) =>
    row ? stateOf(history, place, row) : missingRow(history, place),
  );
}

function eachPlace(
  scene: Scene,
  rows: readonly Row[],
  find: (place: Place, row: Row | undefined) => readonly string[],
): readonly string[] {
  return scene.places.flatMap((place) => {
    const url = scene.urlOf(place.target);
    const own = rows.filter(
      ({ token, target_url }) => token === `program ${place.token}` && target_url === url,
    );
    const found = [...(own.length > 1 ? ['has several rows'] : []), ...find(place, own[0])];
    return found.map((text) => `token ${place.token}, target ${place.target}: ${text}`);
  });
}

/** What is wrong at the end, when nothing is left to deliver. */
export async function violationsOfDeliveries(scene: Scene): Promise<readonly string[]> {
  const { history } = scene;
  const rows: readonly Row[] = (await scene.query(rowStatement)).rows;
  const found = (await scene.query(deliveryStatement)).rows;
  const numbers = await numbersOf(scene);
  const deliveries: readonly Delivery[] = found.map((one) => ({
    ...one,
    number: numbers.get(String(one.position)) ?? -1,
  }));
  return eachPlace(scene, rows, (place, row) => {
    if (!row) return [];
    const own = deliveries.filter(({ subscription }) => subscription === row.number);
    return [
      ...repeated(own),
      ...unwanted(history, place, row, own),
      ...(scene.isRevoked(place) ? [] : lost(scene, place, row, own)),
    ];
  });
}

/** Events are acknowledged one after the other, so the order of the log is that of their numbers. */
async function numbersOf(scene: Scene): Promise<ReadonlyMap<string, number>> {
  const { rows } = await scene.query(
    "SELECT position FROM event WHERE type NOT LIKE 'relay.%' ORDER BY position",
  );
  return new Map(rows.map(({ position }, nth) => [String(position), nth]));
}

/** An active row has its lease, and a row is off only for a reason that a request or response gave it. */
function stateOf(history: History, place: Place, row: Row): readonly string[] {
  const found: string[] = [];
  if (row.state === 'active' && row.lease_generation !== row.generation) {
    found.push(`is active without its lease (${row.lease_generation}, not ${row.generation})`);
  }
  const isEnded = history.stops.some(
    ({ kind, id, generation }) =>
      kind === 'DELETE' && id === row.id && generation === row.generation,
  );
  if (row.off_reason === 'unsubscribed' && !isEnded) {
    found.push(`was ended by a DELETE of another generation than ${row.generation}`);
  }
  const put = history.putsOf(place).find((one) => one.generation === row.generation);
  const isGone = history.stops.some(
    ({ kind, target, sentAt }) =>
      kind === 'gone' && target === place.target && sentAt > (put?.sentAt ?? 0),
  );
  if (row.off_reason === 'gone' && !isGone) found.push('is gone without a 410 of its generation');
  return found;
}

/** A row that a response named goes only if it was pruned after it was stopped. */
function missingRow(history: History, place: Place): readonly string[] {
  const put = history.putsOf(place).at(-1);
  if (!put) return [];
  const isPruned = history.stops.some(
    ({ kind, sentAt }) => kind === 'prune' && sentAt > put.sentAt,
  );
  return isPruned ? [] : [`row ${put.id} is missing`];
}

/** Without a redelivery that a person asked for, an event is accepted once. */
function repeated(deliveries: readonly Delivery[]): readonly string[] {
  return deliveries.flatMap(({ number, accepted, replays }) =>
    accepted > 1 + replays ? [`event ${number} was accepted ${accepted} times`] : [],
  );
}

/** Every attempt is of an event that arrived after its type was asked for. */
function unwanted(
  history: History,
  place: Place,
  { id }: Row,
  deliveries: readonly Delivery[],
): readonly string[] {
  const puts = history
    .putsOf(place)
    .filter((put) => put.id === id)
    .sort(byGeneration);
  // What another one left it may be of any time.
  if (puts.some(({ replaces }) => replaces)) return [];
  return deliveries.flatMap(({ number, last_at }) => {
    const event = history.events.find((one) => one.number === number);
    if (!event || last_at === null) return [];
    const isCovered = puts.some((put, nth) => {
      if (!wants(put.events, event.type) || put.sentAt > last_at) return false;
      const next = puts[nth + 1];
      if (next && next.answeredAt + noticeMs < last_at) return false;
      return event.acknowledgedAt >= sinceOf(puts.slice(0, nth + 1), event).sentAt;
    });
    return isCovered ? [] : [`event ${number} (${event.type}) was attempted, and not wanted`];
  });
}

/** The request since which all have wanted the type. */
function sinceOf(puts: readonly Put[], { type }: SentEvent): Put {
  const last = puts.findLastIndex((put) => !wants(put.events, type));
  return puts[last + 1] as Put;
}

/** What arrived while it was wanted, and nothing had stopped it, was delivered or died with a reason. */
function lost(
  { history, erased }: Scene,
  place: Place,
  row: Row,
  deliveries: readonly Delivery[],
): readonly string[] {
  const puts = history
    .putsOf(place)
    .filter(({ id }) => id === row.id)
    .sort(byGeneration);
  const known = new Map(deliveries.map((one) => [one.number, one]));
  return history.events.flatMap((event) => {
    const put = puts.find((one) => wants(one.events, event.type) && one.answeredAt < event.sentAt);
    if (!put || erased.has(event.number) || isStopped(history, place, put, event)) return [];
    // A type that was given up later may have got it, or not.
    if (puts.some((one) => one.generation > put.generation && !wants(one.events, event.type))) {
      return [];
    }
    const delivery = known.get(event.number);
    const isSettled = delivery && delivery.state !== 'pending';
    return isSettled ? [] : [`event ${event.number} (${event.type}) was lost: ${delivery?.state}`];
  });
}

/** Whether something that was under way after the request may have stopped it before the event. */
function isStopped(
  history: History,
  { token, target }: Place,
  put: Put,
  event: SentEvent,
): boolean {
  return history.stops.some((stop) => {
    if (stop.sentAt > event.acknowledgedAt || stop.answeredAt < put.sentAt) return false;
    if (stop.token !== undefined && stop.token !== token) return false;
    if (stop.target !== undefined && stop.target !== target) return false;
    if (stop.kind !== 'DELETE') return true;
    return stop.id === put.id && (stop.generation ?? 0) >= put.generation;
  });
}

function byGeneration(one: Put, other: Put): number {
  return one.generation - other.generation;
}
