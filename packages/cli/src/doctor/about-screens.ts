import { parseCoordinates } from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import type { Checks } from './check.ts';
import { accepted, asAssumed, differs, notSeen, Stop } from './finding.ts';
import {
  type Fields,
  fieldsOf,
  isRejected,
  type Reply,
  recordsOf,
  type Service,
  succeeded,
} from './service.ts';

/** Up to 200 screens; at least one, or the check ends. */
export async function someScreens(service: Service): Promise<readonly [Fields, ...Fields[]]> {
  const [first, ...others] = recordsOf(succeeded(await service.get('screen.list', { limit: 200 })));
  if (!first) throw new Stop(notSeen('The list of screens is empty'));
  return [first, ...others];
}

/** The coming week. */
export function availabilityOf(service: Service, { id }: Fields): Promise<Reply> {
  const [from, to] = [0, 6].map((days) => new Date(Date.now() + days * 86_400_000));
  const date = (time?: Date) => time?.toISOString().slice(0, 10);
  return service.get('screen.availability', { screenId: id, from: date(from), to: date(to) });
}

export const screenChecks: Checks<
  'coordinates' | 'unbookableScreen' | 'largestPage' | 'smallestPage' | 'lastCursor'
> = {
  async coordinates(service) {
    const screens = await someScreens(service);
    const given = screens.filter((screen) => screen.latitude != null && screen.longitude != null);
    const wrong = given.filter(
      ({ latitude, longitude }) => typeof parseCoordinates({ latitude, longitude }) === 'string',
    );
    const remedy = `Searches near a place do not find them. Report it.`;
    if (given.length === 0) return differs(`Missing in all ${screens.length} screens`, remedy);
    if (wrong.length > 0)
      return differs(`${wrong.length} of ${screens.length} screens not in degrees`, remedy);
    return asAssumed(`Degrees in ${given.length} of ${screens.length} screens`);
  },
  async unbookableScreen(service) {
    const screens = await someScreens(service);
    const inactive = screens.filter(({ is_active }) => is_active === false);
    const [screen = screens[0]] = inactive;
    const { status } = await availabilityOf(service, screen);
    const count = `${inactive.length} of ${screens.length} listed screens are inactive`;
    const found = `${count}; the availability of one returns ${status}`;
    return inactive.length === 0 && status < 300 ? asAssumed(found) : accepted(found);
  },
  largestPage: (service) => limitCheck(service, 201),
  smallestPage: (service) => limitCheck(service, 0),
  async lastCursor(service) {
    let page = succeeded(await service.get('screen.list', { limit: 200 }));
    let { pagination } = fieldsOf(page.json);
    if (nextCursor(fieldsOf(pagination)) !== undefined) {
      // The last page of a long list is too far away, so the list of the rarest city is read instead.
      const filters = { limit: 200, city: rarest(recordsOf(page).map(({ city }) => city)) };
      let cursor: string | undefined;
      for (let turn = 0; turn < 4; turn += 1) {
        page = succeeded(
          await service.get('screen.list', { ...filters, ...(cursor && { cursor }) }),
        );
        ({ pagination } = fieldsOf(page.json));
        const next = nextCursor(fieldsOf(pagination));
        if (next === undefined || next === cursor) break;
        cursor = next;
      }
    }
    return lastCursorIn(fieldsOf(pagination));
  },
};

async function limitCheck(service: Service, limit: number) {
  const reply = await service.get('screen.list', { limit });
  const found = `limit=${limit} returns ${reply.status}`;
  if (isRejected(reply)) return asAssumed(found);
  // Clients never send it.
  return accepted(`${found} with ${recordsOf(reply).length} screens`);
}

function rarest(values: readonly unknown[]): unknown {
  const count = (value: unknown) => values.filter((other) => other === value).length;
  return [...new Set(values)].sort((one, other) => count(one) - count(other))[0];
}

function lastCursorIn(pagination: Fields) {
  const { cursor, has_more } = pagination;
  if (has_more === true && nextCursor(pagination) !== undefined)
    return notSeen('No last page in reach');
  if (has_more === true) {
    return differs('has_more is true without a cursor', `Lists end with an error. Report it.`);
  }
  const end = has_more === false ? '' : ', without has_more';
  if (cursor === null) return end ? accepted(`null${end}`) : asAssumed('null');
  if (cursor === undefined) return accepted(`Absent${end}`);
  return accepted(cursor === '' ? `Empty${end}` : 'Not empty, with has_more false');
}
