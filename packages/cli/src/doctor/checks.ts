import { randomUUID } from 'node:crypto';
import { type OperationName, operations } from '@screen-advertising/core';
import { scopes } from '@screen-advertising/core/contract';
import { parseCoordinates } from '@screen-advertising/core/forms';
import { nextCursor, recordId } from '@screen-advertising/core/platform';
import {
  CheckEndedEarly,
  differenceFinding,
  findingFor,
  isAccessRefused,
  isInputRejected,
  isSuccessStatus,
  memberNamesIn,
  membersOf,
  notSeenFinding,
  type RawResponse,
  type RecordFields,
  recordsInResponse,
  requireSuccess,
  type ServiceProbe,
} from './service.ts';

/** By assumption: what does not work if the service differs, and what to do. */
export const adviceByAssumption = {
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
const reads: readonly (readonly [OperationName, (unknown: string) => RecordFields])[] = [
  ['screen.list', () => ({ limit: 200 })],
  ['campaignRequest.list', () => ({})],
  ['coupon.get', (code) => ({ code })],
  ['user.lookup', (name) => ({ email: `${name}@example.com` })],
];

/** Whether every read is refused like one with an invented token. */
export async function isEveryReadRefused(service: ServiceProbe): Promise<boolean> {
  for (const [name, input] of reads) {
    const { status } = await service.get(name, input(service.unknown));
    if (!isAccessRefused({ status })) return false;
    const wrong = await service.get('screen.list', { limit: 1 }, service.unknown);
    if (status !== wrong.status) return false;
  }
  return true;
}

const noToken = notSeenFinding('API keys need no token');
const statusesOf = (replies: readonly RawResponse[]) =>
  [...new Set(replies.map(({ status }) => status))].join(', ');

export const accessChecks = {
  async refusedCredentials(service: ServiceProbe) {
    const { status } = await service.requestToken(service.unknown, service.unknown);
    const isAccepted = status === 400 || status === 403;
    return findingFor(`Invented credentials return ${status}`, status === 401, isAccepted);
  },
  async invalidToken(service: ServiceProbe) {
    const replies: RawResponse[] = [];
    for (const bearer of [service.unknown, `svc_${service.unknown}`, '']) {
      replies.push(await service.get('screen.list', { limit: 1 }, bearer));
    }
    const statuses = statusesOf(replies);
    const found = `A wrong token, a wrong API key, and none return ${statuses}`;
    return findingFor(found, statuses === '401', replies.every(isAccessRefused));
  },
  async missingScope(service: ServiceProbe) {
    const granted = grantedScopes(service);
    const lacking: RawResponse[] = [];
    const needed: string[] = [];
    for (const [name, input] of reads) {
      const reply = await service.get(name, input(service.unknown));
      const { scopes } = operations[name];
      const isGranted = granted && scopes.some((scope) => granted.includes(scope));
      if (isGranted ?? !isAccessRefused(reply)) continue;
      needed.push(scopes.join(' or '));
      lacking.push(reply);
    }
    const missing = granted ? scopes.filter((scope) => !granted.includes(scope)) : needed;
    if (missing.length === 0) return notSeenFinding('No scope is missing');
    const without = `Without ${missing.join(', ')}`;
    if (lacking.length === 0) return notSeenFinding(`${without}: only changes need it`);
    const statuses = statusesOf(lacking);
    const isAccepted = lacking.every(({ status }) => status < 300);
    return findingFor(`${without}: ${statuses}`, statuses === '403', isAccepted);
  },
  async tokenLifetime({ token }: ServiceProbe) {
    const { expires_in } = membersOf(token?.json);
    const seconds = Number(expires_in);
    if (!token) return noToken;
    if (!(seconds > 0)) return findingFor('The token response has no usable expires_in', false);
    return findingFor(`${seconds} seconds`, expires_in === 3600, seconds >= 60);
  },
  async tokenType({ token }: ServiceProbe) {
    const { token_type } = membersOf(token?.json);
    const isName = typeof token_type === 'string' && /^[\w-]{1,20}$/.test(token_type);
    const found = isName ? token_type : 'The token response has no usable token_type';
    return token ? findingFor(found, found === 'bearer') : noToken;
  },
};

/** The scopes that the token response names; undefined if it names none. */
function grantedScopes({ token }: ServiceProbe): readonly string[] | undefined {
  const { scope } = membersOf(token?.json);
  const names = Array.isArray(scope) ? scope.map(String) : String(scope ?? '').split(/[ ,]+/);
  return names.some((name) => scopes.some((one) => one === name)) ? names : undefined;
}

/** Up to 200 screens; at least one, or the check ends. */
async function someScreens(
  service: ServiceProbe,
): Promise<readonly [RecordFields, ...RecordFields[]]> {
  const [first, ...others] = recordsInResponse(await service.read('screen.list', { limit: 200 }));
  if (!first) throw new CheckEndedEarly(notSeenFinding('The list of screens is empty'));
  return [first, ...others];
}

/** The coming week. */
function availabilityOf(service: ServiceProbe, { id }: RecordFields): Promise<RawResponse> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return service.get('screen.availability', { screenId: id, from: day(0), to: day(6) });
}

export const screenChecks = {
  async coordinates(service: ServiceProbe) {
    const screens = await someScreens(service);
    const given = screens.filter(
      ({ latitude, longitude }) => latitude != null && longitude != null,
    );
    const isWrong = (screen: RecordFields) => typeof parseCoordinates(screen) === 'string';
    const wrong = given.filter(({ latitude, longitude }) => isWrong({ latitude, longitude }));
    const inDegrees = given.length - wrong.length;
    const found = `Degrees in ${inDegrees} of ${screens.length} screens, missing in ${screens.length - given.length}`;
    return findingFor(found, inDegrees > 0 && wrong.length === 0, false);
  },
  async unbookableScreen(service: ServiceProbe) {
    const screens = await someScreens(service);
    const inactive = screens.filter(({ is_active }) => is_active === false);
    const { status } = await availabilityOf(service, inactive[0] ?? screens[0]);
    const count = `${inactive.length} of ${screens.length} listed screens are inactive`;
    const found = `${count}; the availability of one returns ${status}`;
    return findingFor(found, inactive.length === 0 && status < 300);
  },
  largestPage: (service: ServiceProbe) => limitCheck(service, 201),
  smallestPage: (service: ServiceProbe) => limitCheck(service, 0),
  async lastCursor(service: ServiceProbe) {
    const [page, pagination] = await readPage(service, { limit: 200 });
    if (nextCursor(pagination) === undefined) return lastCursorIn(pagination);
    // The last page of a long list is too far away, so the list of the rarest city is read instead.
    const cities = recordsInResponse(page).map(({ city }) => city);
    const count = (city: unknown) => cities.filter((other) => other === city).length;
    const [city] = [...new Set(cities)].sort((one, other) => count(one) - count(other));
    let [, last] = await readPage(service, { limit: 200, city });
    for (let turn = 0, next = nextCursor(last); next && turn < 3; turn += 1) {
      [, last] = await readPage(service, { limit: 200, city, cursor: next });
      next = nextCursor(last);
    }
    return lastCursorIn(last);
  },
  async invalidParameter(service: ServiceProbe) {
    const [{ id: screenId }] = await someScreens(service);
    const input = { screenId, from: 'doctor', to: 'doctor' };
    const { status } = await service.get('screen.availability', input);
    // Clients check dates before they send them.
    const isAccepted = status === 422 || status < 300;
    return findingFor(`A wrong date returns ${status}`, status === 400, isAccepted);
  },
};

async function limitCheck(service: ServiceProbe, limit: number) {
  const reply = await service.get('screen.list', { limit });
  const found = `limit=${limit} returns ${reply.status}`;
  // Clients never send it.
  if (isInputRejected(reply)) return findingFor(found, true);
  return findingFor(`${found} with ${recordsInResponse(reply).length} screens`, false);
}

async function readPage(
  service: ServiceProbe,
  filters: RecordFields,
): Promise<[RawResponse, RecordFields]> {
  const page = await service.read('screen.list', filters);
  return [page, membersOf(membersOf(page.json).pagination)];
}

function lastCursorIn(pagination: RecordFields) {
  const { cursor, has_more } = pagination;
  if (nextCursor(pagination) !== undefined) return notSeenFinding('No last page in reach');
  const shown = cursor === '' ? 'Empty' : 'Not empty';
  const found = cursor === undefined ? 'Absent' : cursor === null ? 'null' : shown;
  const isAssumed = found === 'null' && has_more === false;
  return findingFor(`${found}, with has_more ${has_more}`, isAssumed, has_more !== true);
}

export interface DoctorOptions {
  /** A user to look up, and the lead of the coupon. */
  readonly email?: string | undefined;
  /** The code of the coupon to create and revoke. */
  readonly code?: string | undefined;
  readonly write: boolean;
}

const needed = notSeenFinding('Add --write and --email');

/** As the codes that are made from leads: ten capital letters and digits. */
export const randomCouponCode = (): string =>
  randomUUID().replaceAll('-', '').slice(-10).toUpperCase();

/** How a coupon was created, read with its code in the other case, revoked, and read again. */
type CouponLife = readonly [
  created: RawResponse,
  otherCase: RawResponse,
  revoked: RawResponse,
  after: RawResponse,
];

/** Does it once for a service, and ends the check without `--write`. */
function once<Value>(task: (service: ServiceProbe, code: string, email: string) => Promise<Value>) {
  const memory = new WeakMap<ServiceProbe, Promise<Value>>();
  return (service: ServiceProbe, { write, code, email }: DoctorOptions): Promise<Value> => {
    if (!write || !code || !email) throw new CheckEndedEarly(needed);
    const known = memory.get(service) ?? task(service, code, email);
    memory.set(service, known);
    return known;
  };
}

const silent = (what: string) => () => {
  throw new CheckEndedEarly(
    differenceFinding(`No response to ${what} the coupon`, adviceByAssumption.revokeAnswer),
  );
};

const creation = once(async (service, code, email) => {
  const coupon = { discount_type: 'percent', discount_value: 1, lead_email: email, code };
  const created = await service.post('coupon.create', coupon).catch(silent('creating'));
  if (created.status !== 409) return created;
  throw new CheckEndedEarly(
    notSeenFinding('The --code or --email has a coupon already (409): choose others'),
  );
});

const couponLife = once(async (service, code, email): Promise<CouponLife> => {
  const created = requireSuccess(await creation(service, { write: true, code, email }));
  const other = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  const otherCase = service.get('coupon.get', { code: other });
  await otherCase.catch(() => undefined);
  // Whatever happened to the read, the coupon must not stay.
  const revoked = await service.post('coupon.revoke', { code }).catch(silent('revoking'));
  return [created, await otherCase, revoked, await service.get('coupon.get', { code })];
});

const createdCoupon = async (service: ServiceProbe, options: DoctorOptions) =>
  (await couponLife(service, options))[0];

function couponIn({ json }: RawResponse): RecordFields {
  const body = membersOf(json);
  return 'code' in body ? body : membersOf(body.data);
}

export const writeChecks = {
  async ownCode(service: ServiceProbe, options: DoctorOptions) {
    const created = await creation(service, options);
    const found = `A code of ${options.code?.length} characters returns ${created.status}`;
    return isAccessRefused(created)
      ? notSeenFinding(found)
      : findingFor(found, isSuccessStatus(created), false);
  },
  async revokeAnswer(service: ServiceProbe, options: DoctorOptions) {
    const [, , revoked] = await couponLife(service, options);
    const isCoupon = 'code' in couponIn(revoked);
    const body = isCoupon ? 'the coupon' : memberNamesIn(revoked.json);
    const found = `Revoking returns ${revoked.status} with ${revoked.body === '' ? 'no body' : body}`;
    return findingFor(found, isSuccessStatus(revoked) && isCoupon, isSuccessStatus(revoked));
  },
  async revokeRequest(service: ServiceProbe, options: DoctorOptions) {
    const [, , revoked] = await couponLife(service, options);
    const found = `Without a body, revoking returns ${revoked.status}`;
    return findingFor(found, isSuccessStatus(revoked), false);
  },
  async couponState(service: ServiceProbe, options: DoctorOptions) {
    const [created, , , after] = await couponLife(service, options);
    const [before, now] = [couponIn(created), couponIn(after)];
    const isAssumed = before.status === 'active' && now.status === 'revoked';
    const changed = Object.entries(now).filter(([name, value]) => value !== before[name]);
    return findingFor(`Revoking changes ${memberNamesIn(Object.fromEntries(changed))}`, isAssumed);
  },
  async letterCase(service: ServiceProbe, options: DoctorOptions) {
    const [, { status }] = await couponLife(service, options);
    const unknown = await service.get('coupon.get', { code: service.unknown });
    return findingFor(`The code in another case returns ${status}`, status === unknown.status);
  },
  async landingLinkBody(service: ServiceProbe, { write }: DoctorOptions) {
    if (!write) return needed;
    const link = await service.post('landingLink.create', { utm_campaign: 'doctor' });
    const isRefused = link.status === 400 || link.status === 422;
    const { json, status } = isRefused ? link : requireSuccess(link);
    const url = membersOf(json).url ?? membersOf(membersOf(json).data).url;
    const isUsed = `${url}`.includes('utm_campaign=doctor');
    const found = `With utm_campaign: ${status}, and a link ${isUsed ? 'with' : 'without'} it`;
    return findingFor(found, isUsed, false);
  },
};

export const recordChecks = {
  async singleRecord(service: ServiceProbe, options: DoctorOptions) {
    const [screen] = await someScreens(service);
    const replies: Record<string, RawResponse> = {
      screen: await service.read('screen.get', { screenId: screen.id }),
      availability: await availabilityOf(service, screen),
    };
    const [request] = recordsInResponse(await service.get('campaignRequest.list'));
    const id = request && recordId(request);
    if (id) replies['campaign request'] = await service.get('campaignRequest.get', { id });
    if (options.write) replies.coupon = await createdCoupon(service, options);
    const seen = Object.entries(replies).filter(([, reply]) => isSuccessStatus(reply));
    const shapes = [...new Set(seen.map(([, reply]) => shapeOf(reply)))];
    const found = shapes.map((shape) => {
      const labels = seen.filter(([, reply]) => shapeOf(reply) === shape).map(([label]) => label);
      return `${shape}: ${labels.join(', ')}`;
    });
    const isReadable = shapes.every((shape) => !shape.startsWith('Neither'));
    return findingFor(found.join('; '), `${shapes}` === 'Bare', isReadable);
  },
  async userLookup(service: ServiceProbe, { email }: DoctorOptions) {
    const input = { email: `${service.unknown}@example.com` };
    const unknown = await service.read('user.lookup', input);
    if (membersOf(membersOf(unknown.json).data).exists !== false) {
      const found = `An unknown user has the members ${memberNamesIn(unknown.json)}`;
      return differenceFinding(
        found,
        'Connectors may report a user who does not exist. Report it.',
      );
    }
    if (!email) return notSeenFinding('Add --email with the address of a user');
    const { json } = await service.read('user.lookup', { email });
    const { data, user_id } = membersOf(json);
    const { exists, user_id: inner } = membersOf(data);
    if (exists === false) return notSeenFinding('There is no user with this --email');
    if (user_id !== undefined) return findingFor('Bare', false);
    const isWhole = inner !== undefined;
    const found = isWhole ? 'Under "data"' : `Without user_id: ${memberNamesIn(data ?? json)}`;
    const more = exists === true ? ', with "exists"' : '';
    return findingFor(`${found}${more}`, isWhole && exists === undefined, isWhole);
  },
  async unknownCoupon(service: ServiceProbe) {
    const coupon = await service.get('coupon.get', { code: service.unknown });
    const request = await service.get('campaignRequest.get', { id: service.unknown });
    if (isAccessRefused(coupon))
      return notSeenFinding(`${coupon.request} returns ${coupon.status}`);
    const found = `An unknown coupon returns ${coupon.status}, a campaign request ${request.status}`;
    const isAccepted = coupon.status === 404 || coupon.status === 400;
    return findingFor(found, coupon.status === 404 && request.status === 404, isAccepted);
  },
};

/** Fields that make a record recognizable. */
const marks = ['id', 'screen_id', 'code'];

function shapeOf({ json }: RawResponse): string {
  const body = membersOf(json);
  if (marks.some((name) => name in body)) return 'Bare';
  if (marks.some((name) => name in membersOf(body.data))) return 'Under "data"';
  return `Neither bare nor under "data" (${memberNamesIn(json)})`;
}

const outcomes = ['rejected', 'abandoned', 'no_inventory', 'converted'];

export const campaignRequestChecks = {
  async campaignRequestList(service: ServiceProbe) {
    const { json, headers } = await service.read('campaignRequest.list');
    const isBare = Array.isArray(json);
    const { data, pagination, ...others } = isBare ? { data: json } : membersOf(json);
    if (!Array.isArray(data)) {
      const found = `Neither a list nor a list under "data": ${memberNamesIn(json)}`;
      return differenceFinding(found, 'Connectors cannot read campaign requests. Report it.');
    }
    if (typeof pagination === 'object') return findingFor('Under "data", with pagination', true);
    // Other ways to page would hide all further pages from the connectors.
    const pages = headers.link ? 'the header Link' : memberNamesIn(others);
    const found = `${isBare ? 'Bare' : 'Under "data"'}, with ${pages === 'none' ? 'no pages' : pages}`;
    return findingFor(found, false, pages === 'none');
  },
  async openRequest(service: ServiceProbe) {
    const records = recordsInResponse(await service.read('campaignRequest.list'));
    const open = records.filter(({ status }) => !outcomes.includes(String(status)));
    if (open.length === 0)
      return notSeenFinding(`All of ${records.length} requests have an outcome`);
    const others = open.filter(({ status }) => status != null);
    const found = `null in ${open.length - others.length} of ${open.length} without an outcome`;
    return findingFor(found, others.length === 0);
  },
  async campaignRequestPeriod(service: ServiceProbe) {
    const records = recordsInResponse(await service.read('campaignRequest.list'));
    const middle = records[Math.floor(records.length / 2)];
    const [, created] = Object.entries(middle ?? {}).find(([name]) => /^creat/i.test(name)) ?? [];
    const time = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    if (!middle || Number.isNaN(time))
      return notSeenFinding('No campaign request has a time of creation');
    const day = (days: number) => new Date(time + days * 86_400_000).toISOString().slice(0, 10);
    const search = (days: number) =>
      service.get('campaignRequest.list', { from: day(-days), to: day(days) });
    const isIn = (reply: RawResponse) =>
      recordsInResponse(requireSuccess(reply)).some(
        (record) => recordId(record) === recordId(middle),
      );
    const sameDay = await search(0);
    if (isInputRejected(sameDay)) {
      const found = `Dates as YYYY-MM-DD are rejected (${sameDay.status})`;
      return differenceFinding(found, 'Filters by date fail. Ask for the format of from and to.');
    }
    if (isIn(sameDay)) return findingFor('One day includes its requests', true);
    const isNear = isIn(await search(1));
    const found = isNear
      ? 'A day excludes its requests, the next one includes them'
      : 'from and to are not about the creation';
    return findingFor(found, false, isNear);
  },
};

const members = ['type', 'title', 'status', 'detail'];

/** They look at all other responses, so they are the last. */
export const errorChecks = {
  async problemDocuments({ replies }: ServiceProbe) {
    const errors = replies.filter(({ status }) => status >= 400);
    const problems = errors.map(({ json }) => membersOf(json));
    const silent = problems.filter(
      ({ title, detail }) => ![title, detail].some((text) => text && typeof text === 'string'),
    );
    if (silent.length > 0) {
      const count = `${silent.length} of ${errors.length}`;
      return findingFor(`${count} errors have neither title nor detail`, false, false);
    }
    const lacks = members.filter((name) => problems.some(({ [name]: value }) => value == null));
    if (lacks.length > 0) return findingFor(`Without ${lacks.join(', ')}`, false);
    const isTyped = errors.every(({ headers }) =>
      headers['content-type']?.startsWith('application/problem+json'),
    );
    if (!isTyped) return findingFor('All members, with another content type', false);
    return findingFor(`All ${errors.length} errors`, true);
  },
  async retryAfter({ replies }: ServiceProbe) {
    const met = replies.find(({ status }) => status === 429);
    if (!met) return notSeenFinding('No rate limit was met');
    const header = met.headers['retry-after'] ?? '';
    if (!/^\d+$/.test(header))
      return findingFor(header ? 'A date' : '429 without Retry-After', false);
    const isSame = Number(header) === membersOf(met.json).retry_after;
    return findingFor(isSame ? 'Seconds, and the same' : 'Seconds; retry_after differs', isSame);
  },
  async requestId({ replies }: ServiceProbe) {
    const names = replies.flatMap(({ headers }) => Object.keys(headers));
    const found = names.find((name) => /request-?id|correlation-id|^cf-ray$/.test(name));
    return findingFor(found ?? 'Absent', true);
  },
};
