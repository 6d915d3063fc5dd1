import { actions } from './actions.ts';
import { differs, judge, notSeen, Stop } from './finding.ts';
import {
  type Fields,
  fieldsOf,
  isSuccess,
  namesIn,
  type Reply,
  type Service,
  succeeded,
} from './service.ts';

export interface DoctorOptions {
  /** A user to look up, and the lead of the coupon. */
  readonly email?: string | undefined;
  /** Of the coupon to create and revoke. */
  readonly code?: string | undefined;
  readonly write: boolean;
}

const needed = notSeen('Add --write, --code and --email');

/** How a coupon was created, read with its code in the other case, revoked, and read again. */
type CouponLife = readonly [created: Reply, otherCase: Reply, revoked: Reply, after: Reply];

const lives = new WeakMap<Service, Promise<CouponLife>>();

/** Creates and revokes the coupon, once. Ends the check without `--write`. */
function couponLife(service: Service, { write, code, email }: DoctorOptions): Promise<CouponLife> {
  if (!write || !code || !email) throw new Stop(needed);
  const known = lives.get(service) ?? live(service, code, email);
  lives.set(service, known);
  return known;
}

async function live(service: Service, code: string, email: string): Promise<CouponLife> {
  const silent = (what: string) => () => {
    throw new Stop(differs(`No response to ${what} the coupon`, actions.revokeAnswer));
  };
  const coupon = { discount_type: 'percent', discount_value: 1, lead_email: email, code };
  const created = await service.post('coupon.create', coupon).catch(silent('creating'));
  if (created.status === 409) {
    throw new Stop(notSeen('The --code or --email has a coupon already (409): choose others'));
  }
  succeeded(created);
  const other = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  const otherCase = service.get('coupon.get', { code: other });
  await otherCase.catch(() => undefined);
  // Whatever happened to the read, the coupon must not stay.
  const revoked = await service.post('coupon.revoke', { code }).catch(silent('revoking'));
  return [created, await otherCase, revoked, await service.get('coupon.get', { code })];
}

export const createdCoupon = async (service: Service, options: DoctorOptions) =>
  (await couponLife(service, options))[0];

function couponIn({ json }: Reply): Fields {
  const body = fieldsOf(json);
  return 'code' in body ? body : fieldsOf(body.data);
}

export const writeChecks = {
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
    return judge(`The code in another case returns ${status}`, status === 404);
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
