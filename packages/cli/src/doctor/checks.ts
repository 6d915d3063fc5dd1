import { randomUUID } from 'node:crypto';
import { type OperationName, operations } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import { parseCoordinates } from '@screen-advertising/core/forms';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import {
  differs,
  type Fields,
  fieldsOf,
  isForbidden,
  isRejected,
  isSuccess,
  judge,
  namesIn,
  notSeen,
  type Reply,
  recordsOf,
  type Service,
  Stop,
  succeeded,
} from './service.ts';

/** By assumption: what does not work if the service differs, and what to do. */
export const actions = {
  refusedCredentials: 'Errors will not say that the credentials are wrong. Report it.',
  invalidToken: 'Connectors may not renew an expired token. Report it.',
  missingScope: 'Errors will not name the missing scope. Report it.',
  tokenLifetime: 'Connectors need more tokens than they may request. Ask for a longer lifetime.',
  singleRecord: 'Connectors cannot read the record. Report it.',
  userLookup: 'Connectors cannot show the user. Report it.',
  coordinates: 'Searches near a place do not find them. Report it.',
  lastCursor: 'Lists end with an error. Report it.',
  campaignRequestList: 'Connectors may read only the first page. Report it.',
  campaignRequestPeriod: 'Filters by date find other requests. Report it.',
  invalidParameter: 'Errors will name another cause. Report it.',
  unknownCoupon: 'Finding a coupon fails instead of finding nothing. Report it.',
  ownCode:
    'Creating coupons fails. In Create Coupon, choose Let the Service Choose under Without a Code.',
  revokeAnswer: 'The coupon that you named may be active. Have it revoked.',
  revokeRequest: 'The coupon that you named may be active. Have it revoked.',
  landingLinkBody: 'Ask the team which fields it takes.',
  problemDocuments: 'Error messages will show only the status. Report it.',
} as const;

/** Reads that need a scope each. */
const reads: readonly (readonly [OperationName, (unknown: string) => Fields])[] = [
  ['screen.list', () => ({ limit: 200 })],
  ['campaignRequest.list', () => ({})],
  ['coupon.get', (code) => ({ code })],
  ['user.lookup', (name) => ({ email: `${name}@example.com` })],
];

/** Whether every read is refused like one with an invented token. */
export async function isRefused(service: Service): Promise<boolean> {
  for (const [name, input] of reads) {
    const { status } = await service.get(name, input(service.unknown));
    if (!isForbidden({ status })) return false;
    const wrong = await service.get('screen.list', { limit: 1 }, service.unknown);
    if (status !== wrong.status) return false;
  }
  return true;
}

const noToken = notSeen('API keys need no token');
const statusesOf = (replies: readonly Reply[]) =>
  [...new Set(replies.map(({ status }) => status))].join(', ');

export const accessChecks = {
  async refusedCredentials(service: Service) {
    const { status } = await service.requestToken(service.unknown, service.unknown);
    const isAccepted = status === 400 || status === 403;
    return judge(`Invented credentials return ${status}`, status === 401, isAccepted);
  },
  async invalidToken(service: Service) {
    const replies: Reply[] = [];
    for (const bearer of [service.unknown, `svc_${service.unknown}`, '']) {
      replies.push(await service.get('screen.list', { limit: 1 }, bearer));
    }
    const statuses = statusesOf(replies);
    const found = `A wrong token, a wrong API key, and none return ${statuses}`;
    return judge(found, statuses === '401', replies.every(isForbidden));
  },
  async missingScope(service: Service) {
    const granted = grantedScopes(service);
    const lacking: Reply[] = [];
    const needed: string[] = [];
    for (const [name, input] of reads) {
      const reply = await service.get(name, input(service.unknown));
      const { scopes } = operations[name];
      const isGranted = granted && scopes.some((scope) => granted.includes(scope));
      if (isGranted ?? !isForbidden(reply)) continue;
      needed.push(scopes.join(' or '));
      lacking.push(reply);
    }
    const missing = granted ? scopes.filter((scope) => !granted.includes(scope)) : needed;
    if (missing.length === 0) return notSeen('No scope is missing');
    const without = `Without ${missing.join(', ')}`;
    if (lacking.length === 0) return notSeen(`${without}: only changes need it`);
    const statuses = statusesOf(lacking);
    const isAccepted = lacking.every(({ status }) => status < 300);
    return judge(`${without}: ${statuses}`, statuses === '403', isAccepted);
  },
  async tokenLifetime({ token }: Service) {
    const { expires_in } = fieldsOf(token?.json);
    const seconds = Number(expires_in);
    if (!token) return noToken;
    if (!(seconds > 0)) return judge('The token response has no usable expires_in', false);
    return judge(`${seconds} seconds`, expires_in === 3600, seconds >= 60);
  },
  async tokenType({ token }: Service) {
    const { token_type } = fieldsOf(token?.json);
    const isName = typeof token_type === 'string' && /^[\w-]{1,20}$/.test(token_type);
    const found = isName ? token_type : 'The token response has no usable token_type';
    return token ? judge(found, found === 'bearer') : noToken;
  },
};

/** The scopes that the token response names; undefined if it names none. */
function grantedScopes({ token }: Service): readonly string[] | undefined {
  const { scope } = fieldsOf(token?.json);
  const names = Array.isArray(scope) ? scope.map(String) : String(scope ?? '').split(/[ ,]+/);
  return names.some((name) => scopes.some((one) => one === name)) ? names : undefined;
}

/** Up to 200 screens; at least one, or the check ends. */
async function someScreens(service: Service): Promise<readonly [Fields, ...Fields[]]> {
  const [first, ...others] = recordsOf(await service.read('screen.list', { limit: 200 }));
  if (!first) throw new Stop(notSeen('The list of screens is empty'));
  return [first, ...others];
}

/** The coming week. */
function availabilityOf(service: Service, { id }: Fields): Promise<Reply> {
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

export interface DoctorOptions {
  /** A user to look up, and the lead of the coupon. */
  readonly email?: string | undefined;
  /** The code of the coupon to create and revoke. */
  readonly code?: string | undefined;
  readonly write: boolean;
}

const needed = notSeen('Add --write and --email');

/** As the codes that are made from leads: ten capital letters and digits. */
export const newCode = (): string => randomUUID().replaceAll('-', '').slice(-10).toUpperCase();

/** How a coupon was created, read with its code in the other case, revoked, and read again. */
type CouponLife = readonly [created: Reply, otherCase: Reply, revoked: Reply, after: Reply];

/** Does it once for a service, and ends the check without `--write`. */
function once<Value>(task: (service: Service, code: string, email: string) => Promise<Value>) {
  const memory = new WeakMap<Service, Promise<Value>>();
  return (service: Service, { write, code, email }: DoctorOptions): Promise<Value> => {
    if (!write || !code || !email) throw new Stop(needed);
    const known = memory.get(service) ?? task(service, code, email);
    memory.set(service, known);
    return known;
  };
}

const silent = (what: string) => () => {
  throw new Stop(differs(`No response to ${what} the coupon`, actions.revokeAnswer));
};

const creation = once(async (service, code, email) => {
  const coupon = { discount_type: 'percent', discount_value: 1, lead_email: email, code };
  const created = await service.post('coupon.create', coupon).catch(silent('creating'));
  if (created.status !== 409) return created;
  throw new Stop(notSeen('The --code or --email has a coupon already (409): choose others'));
});

const couponLife = once(async (service, code, email): Promise<CouponLife> => {
  const created = succeeded(await creation(service, { write: true, code, email }));
  const other = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  const otherCase = service.get('coupon.get', { code: other });
  await otherCase.catch(() => undefined);
  // Whatever happened to the read, the coupon must not stay.
  const revoked = await service.post('coupon.revoke', { code }).catch(silent('revoking'));
  return [created, await otherCase, revoked, await service.get('coupon.get', { code })];
});

const createdCoupon = async (service: Service, options: DoctorOptions) =>
  (await couponLife(service, options))[0];

function couponIn({ json }: Reply): Fields {
  const body = fieldsOf(json);
  return 'code' in body ? body : fieldsOf(body.data);
}

export const writeChecks = {
  async ownCode(service: Service, options: DoctorOptions) {
    const created = await creation(service, options);
    const found = `A code of ${options.code?.length} characters returns ${created.status}`;
    return isForbidden(created) ? notSeen(found) : judge(found, isSuccess(created), false);
  },
  async revokeAnswer(service: Service, options: DoctorOptions) {
    const [, , revoked] = await couponLife(service, options);
    const isCoupon = 'code' in couponIn(revoked);
    const body = isCoupon ? 'the coupon' : namesIn(revoked.json);
    const found = `Revoking returns ${revoked.status} with ${revoked.body === '' ? 'no body' : body}`;
    return judge(found, isSuccess(revoked) && isCoupon, isSuccess(revoked));
  },
  async revokeRequest(service: Service, options: DoctorOptions) {
    const [, , revoked] = await couponLife(service, options);
    const found = `Without a body, revoking returns ${revoked.status}`;
    return judge(found, isSuccess(revoked), false);
  },
  async couponState(service: Service, options: DoctorOptions) {
    const [created, , , after] = await couponLife(service, options);
    const [before, now] = [couponIn(created), couponIn(after)];
    const isAssumed = before.status === 'active' && now.status === 'revoked';
    const changed = Object.entries(now).filter(([name, value]) => value !== before[name]);
    return judge(`Revoking changes ${namesIn(Object.fromEntries(changed))}`, isAssumed);
  },
  async letterCase(service: Service, options: DoctorOptions) {
    const [, { status }] = await couponLife(service, options);
    const unknown = await service.get('coupon.get', { code: service.unknown });
    return judge(`The code in another case returns ${status}`, status === unknown.status);
  },
  async landingLinkBody(service: Service, { write }: DoctorOptions) {
    if (!write) return needed;
    const link = await service.post('landingLink.create', { utm_campaign: 'doctor' });
    const isRefused = link.status === 400 || link.status === 422;
    const { json, status } = isRefused ? link : succeeded(link);
    const url = fieldsOf(json).url ?? fieldsOf(fieldsOf(json).data).url;
    const isUsed = `${url}`.includes('utm_campaign=doctor');
    const found = `With utm_campaign: ${status}, and a link ${isUsed ? 'with' : 'without'} it`;
    return judge(found, isUsed, false);
  },
};

export const recordChecks = {
  async singleRecord(service: Service, options: DoctorOptions) {
    const [screen] = await someScreens(service);
    const replies: Record<string, Reply> = {
      screen: await service.read('screen.get', { screenId: screen.id }),
      availability: await availabilityOf(service, screen),
    };
    const [request] = recordsOf(await service.get('campaignRequest.list'));
    const id = request && recordId(request);
    if (id) replies['campaign request'] = await service.get('campaignRequest.get', { id });
    if (options.write) replies.coupon = await createdCoupon(service, options);
    const seen = Object.entries(replies).filter(([, reply]) => isSuccess(reply));
    const shapes = [...new Set(seen.map(([, reply]) => shapeOf(reply)))];
    const found = shapes.map((shape) => {
      const labels = seen.filter(([, reply]) => shapeOf(reply) === shape).map(([label]) => label);
      return `${shape}: ${labels.join(', ')}`;
    });
    const isReadable = shapes.every((shape) => !shape.startsWith('Neither'));
    return judge(found.join('; '), `${shapes}` === 'Bare', isReadable);
  },
  async userLookup(service: Service, { email }: DoctorOptions) {
    const input = { email: `${service.unknown}@example.com` };
    const unknown = await service.read('user.lookup', input);
    if (fieldsOf(fieldsOf(unknown.json).data).exists !== false) {
      const found = `An unknown user has the members ${namesIn(unknown.json)}`;
      return differs(found, 'Connectors may report a user who does not exist. Report it.');
    }
    if (!email) return notSeen('Add --email with the address of a user');
    const { json } = await service.read('user.lookup', { email });
    const { data, user_id } = fieldsOf(json);
    const { exists, user_id: inner } = fieldsOf(data);
    if (exists === false) return notSeen('There is no user with this --email');
    if (user_id !== undefined) return judge('Bare', false);
    const isWhole = inner !== undefined;
    const found = isWhole ? 'Under "data"' : `Without user_id: ${namesIn(data ?? json)}`;
    const more = exists === true ? ', with "exists"' : '';
    return judge(`${found}${more}`, isWhole && exists === undefined, isWhole);
  },
  async unknownCoupon(service: Service) {
    const coupon = await service.get('coupon.get', { code: service.unknown });
    const request = await service.get('campaignRequest.get', { id: service.unknown });
    if (isForbidden(coupon)) return notSeen(`${coupon.request} returns ${coupon.status}`);
    const found = `An unknown coupon returns ${coupon.status}, a campaign request ${request.status}`;
    const isAccepted = coupon.status === 404 || coupon.status === 400;
    return judge(found, coupon.status === 404 && request.status === 404, isAccepted);
  },
};

/** Fields that make a record recognizable. */
const marks = ['id', 'screen_id', 'code'];

function shapeOf({ json }: Reply): string {
  const body = fieldsOf(json);
  if (marks.some((name) => name in body)) return 'Bare';
  if (marks.some((name) => name in fieldsOf(body.data))) return 'Under "data"';
  return `Neither bare nor under "data" (${namesIn(json)})`;
}

const outcomes = ['rejected', 'abandoned', 'no_inventory', 'converted'];

export const campaignRequestChecks = {
  async campaignRequestList(service: Service) {
    const { json, headers } = await service.read('campaignRequest.list');
    const isBare = Array.isArray(json);
    const { data, pagination, ...others } = isBare ? { data: json } : fieldsOf(json);
    if (!Array.isArray(data)) {
      const found = `Neither a list nor a list under "data": ${namesIn(json)}`;
      return differs(found, 'Connectors cannot read campaign requests. Report it.');
    }
    if (typeof pagination === 'object') return judge('Under "data", with pagination', true);
    // Other ways to page would hide all further pages from the connectors.
    const pages = headers.link ? 'the header Link' : namesIn(others);
    const found = `${isBare ? 'Bare' : 'Under "data"'}, with ${pages === 'none' ? 'no pages' : pages}`;
    return judge(found, false, pages === 'none');
  },
  async openRequest(service: Service) {
    const records = recordsOf(await service.read('campaignRequest.list'));
    const open = records.filter(({ status }) => !outcomes.includes(String(status)));
    if (open.length === 0) return notSeen(`All of ${records.length} requests have an outcome`);
    const others = open.filter(({ status }) => status != null);
    const found = `null in ${open.length - others.length} of ${open.length} without an outcome`;
    return judge(found, others.length === 0);
  },
  async campaignRequestPeriod(service: Service) {
    const records = recordsOf(await service.read('campaignRequest.list'));
    const middle = records[Math.floor(records.length / 2)];
    const [, created] = Object.entries(middle ?? {}).find(([name]) => /^creat/i.test(name)) ?? [];
    const time = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    if (!middle || Number.isNaN(time)) return notSeen('No campaign request has a time of creation');
    const day = (days: number) => new Date(time + days * 86_400_000).toISOString().slice(0, 10);
    const search = (days: number) =>
      service.get('campaignRequest.list', { from: day(-days), to: day(days) });
    const isIn = (reply: Reply) =>
      recordsOf(succeeded(reply)).some((record) => recordId(record) === recordId(middle));
    const sameDay = await search(0);
    if (isRejected(sameDay)) {
      const found = `Dates as YYYY-MM-DD are rejected (${sameDay.status})`;
      return differs(found, 'Filters by date fail. Ask for the format of from and to.');
    }
    if (isIn(sameDay)) return judge('One day includes its requests', true);
    const isNear = isIn(await search(1));
    const found = isNear
      ? 'A day excludes its requests, the next one includes them'
      : 'from and to are not about the creation';
    return judge(found, false, isNear);
  },
};

const members = ['type', 'title', 'status', 'detail'];

/** They look at all other responses, so they are the last. */
export const errorChecks = {
  async problemDocuments({ replies }: Service) {
    const errors = replies.filter(({ status }) => status >= 400);
    const problems = errors.map(({ json }) => fieldsOf(json));
    const silent = problems.filter(
      ({ title, detail }) => ![title, detail].some((text) => text && typeof text === 'string'),
    );
    if (silent.length > 0) {
      const count = `${silent.length} of ${errors.length}`;
      return judge(`${count} errors have neither title nor detail`, false, false);
    }
    const lacks = members.filter((name) => problems.some(({ [name]: value }) => value == null));
    if (lacks.length > 0) return judge(`Without ${lacks.join(', ')}`, false);
    const isTyped = errors.every(({ headers }) =>
      headers['content-type']?.startsWith('application/problem+json'),
    );
    if (!isTyped) return judge('All members, with another content type', false);
    return judge(`All ${errors.length} errors`, true);
  },
  async retryAfter({ replies }: Service) {
    const met = replies.find(({ status }) => status === 429);
    if (!met) return notSeen('No rate limit was met');
    const header = met.headers['retry-after'] ?? '';
    if (!/^\d+$/.test(header)) return judge(header ? 'A date' : '429 without Retry-After', false);
    const isSame = Number(header) === fieldsOf(met.json).retry_after;
    return judge(isSame ? 'Seconds, and the same' : 'Seconds; retry_after differs', isSame);
  },
  async requestId({ replies }: Service) {
    const names = replies.flatMap(({ headers }) => Object.keys(headers));
    const found = names.find((name) => /request-?id|correlation-id|^cf-ray$/.test(name));
    return judge(found ?? 'Absent', true);
  },
};
