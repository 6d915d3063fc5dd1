import { parseCoordinates } from '@screen-advertising/core/forms';
import { nextCursor } from '@screen-advertising/core/platform';
import { judge, notSeen, Stop } from './finding.ts';
import {
  type Fields,
  fieldsOf,
  isRejected,
  type Reply,
  recordsOf,
  type Service,
} from './service.ts';

/** Up to 200 screens; at least one, or the check ends. */
export async function someScreens(service: Service): Promise<readonly [Fields, ...Fields[]]> {
  const [first, ...others] = recordsOf(await service.read('screen.list', { limit: 200 }));
  if (!first) throw new Stop(notSeen('The list of screens is empty'));
  return [first, ...others];
}

/** The coming week. */
export function availabilityOf(service: Service, { id }: Fields): Promise<Reply> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return service.get('screen.availability', { screenId: id, from: day(0), to: day(6) });
}

export const screenChecks = {
  async coordinates(service: Service) {
    const screens = await someScreens(service);
    const given = screens.filter(
      ({ latitude, longitude }) => latitude != null && longitude != null,
    );
    const isWrong = (screen: Fields) => typeof parseCoordinates(screen) === 'string';
    const wrong = given.filter(({ latitude, longitude }) => isWrong({ latitude, longitude }));
    const inDegrees = given.length - wrong.length;
    const found = `Degrees in ${inDegrees} of ${screens.length} screens, missing in ${screens.length - given.length}`;
    return judge(found, inDegrees > 0 && wrong.length === 0, false);
  },
  async unbookableScreen(service: Service) {
    const screens = await someScreens(service);
    const inactive = screens.filter(({ is_active }) => is_active === false);
    const { status } = await availabilityOf(service, inactive[0] ?? screens[0]);
    const count = `${inactive.length} of ${screens.length} listed screens are inactive`;
    const found = `${count}; the availability of one returns ${status}`;
    return judge(found, inactive.length === 0 && status < 300);
  },
  largestPage: (service: Service) => limitCheck(service, 201),
  smallestPage: (service: Service) => limitCheck(service, 0),
  async lastCursor(service: Service) {
    const [page, pagination] = await readPage(service, { limit: 200 });
    if (nextCursor(pagination) === undefined) return lastCursorIn(pagination);
    // The last page of a long list is too far away, so the list of the rarest city is read instead.
    const cities = recordsOf(page).map(({ city }) => city);
    const count = (city: unknown) => cities.filter((other) => other === city).length;
    const [city] = [...new Set(cities)].sort((one, other) => count(one) - count(other));
    let [, last] = await readPage(service, { limit: 200, city });
    for (let turn = 0, next = nextCursor(last); next && turn < 3; turn += 1) {
      [, last] = await readPage(service, { limit: 200, city, cursor: next });
      next = nextCursor(last);
    }
    return lastCursorIn(last);
  },
  async invalidParameter(service: Service) {
    const [{ id: screenId }] = await someScreens(service);
    const input = { screenId, from: 'doctor', to: 'doctor' };
    const { status } = await service.get('screen.availability', input);
    // Clients check dates before they send them.
    const isAccepted = status === 422 || status < 300;
    return judge(`A wrong date returns ${status}`, status === 400, isAccepted);
  },
};

async function limitCheck(service: Service, limit: number) {
  const reply = await service.get('screen.list', { limit });
  const found = `limit=${limit} returns ${reply.status}`;
  // Clients never send it.
  if (isRejected(reply)) return judge(found, true);
  return judge(`${found} with ${recordsOf(reply).length} screens`, false);
}

async function readPage(service: Service, filters: Fields): Promise<[Reply, Fields]> {
  const page = await service.read('screen.list', filters);
  return [page, fieldsOf(fieldsOf(page.json).pagination)];
}

function lastCursorIn(pagination: Fields) {
  const { cursor, has_more } = pagination;
  if (nextCursor(pagination) !== undefined) return notSeen('No last page in reach');
  const shown = cursor === '' ? 'Empty' : 'Not empty';
  const found = cursor === undefined ? 'Absent' : cursor === null ? 'null' : shown;
  const isAssumed = found === 'null' && has_more === false;
  return judge(`${found}, with has_more ${has_more}`, isAssumed, has_more !== true);
}
