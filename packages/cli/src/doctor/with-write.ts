import type { Checks, DoctorOptions } from './check.ts';
import { accepted, asAssumed, differs, type Finding, notSeen, Stop } from './finding.ts';
import {
  type Fields,
  fieldsOf,
  isSuccess,
  namesIn,
  type Reply,
  type Service,
  succeeded,
} from './service.ts';

const stillActive = 'The coupon that you named may be active. Have it revoked.';

interface CouponLife {
  readonly created: Reply;
  /** Read with its code in the other case; undefined if that is the same, or failed. */
  readonly otherCase: Reply | undefined;
  readonly revoked: Reply;
  readonly after: Reply;
}

const lives = new WeakMap<Service, Promise<CouponLife>>();

/** Creates and revokes the coupon, once. Ends the check without `--write`. */
function couponLife(service: Service, { write, code, email }: DoctorOptions): Promise<CouponLife> {
  if (!write || !code || !email) throw new Stop(notSeen('Add --write, --code and --email'));
  const known = lives.get(service) ?? liveOnce(service, code, email);
  lives.set(service, known);
  return known;
}

export async function createdCoupon(service: Service, options: DoctorOptions): Promise<Reply> {
  return (await couponLife(service, options)).created;
}

async function liveOnce(service: Service, code: string, email: string): Promise<CouponLife> {
  const created = await service
    .post('coupon.create', {
      discount_type: 'percent',
      discount_value: 1,
      lead_email: email,
      code,
    })
    .catch(() => {
      throw new Stop(differs('No response to creating the coupon', stillActive));
    });
  if (created.status === 409) {
    throw new Stop(notSeen('The --code or --email has a coupon already (409): choose others'));
  }
  succeeded(created);
  const other = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  const read = (code: string) => service.get('coupon.get', { code });
  const otherCase = other === code ? undefined : await read(other).catch(() => undefined);
  const revoked = await service.post('coupon.revoke', { code }).catch(() => {
    throw new Stop(differs('No response to revoking the coupon', stillActive));
  });
  return { created, otherCase, revoked, after: await read(code) };
}

function couponIn({ json }: Reply): Fields {
  const body = fieldsOf(json);
  return 'code' in body ? body : fieldsOf(body.data);
}

export const writeChecks: Checks<
  'revokeAnswer' | 'revokeRequest' | 'couponState' | 'letterCase' | 'landingLinkBody'
> = {
  async revokeAnswer(service, options) {
    const { revoked } = await couponLife(service, options);
    if (!isSuccess(revoked)) return notRevoked(revoked);
    if (revoked.body.trim() === '') return accepted(`${revoked.status} without a body`);
    if ('code' in couponIn(revoked)) return asAssumed(`${revoked.status} with the coupon`);
    return accepted(`${revoked.status} with ${namesIn(revoked.json)}`);
  },
  async revokeRequest(service, options) {
    const { revoked } = await couponLife(service, options);
    return isSuccess(revoked) ? asAssumed('None') : notRevoked(revoked);
  },
  async couponState(service, options) {
    const { created, after } = await couponLife(service, options);
    const [before, now] = [couponIn(created), couponIn(after)];
    if (before.status === 'active' && now.status === 'revoked') {
      return asAssumed('"status" is active, then revoked');
    }
    const changed = Object.keys(now).filter((name) => now[name] !== before[name]);
    const names = namesIn(Object.fromEntries(changed.map((name) => [name, ''])));
    return accepted(`Revoking changes other values: ${names}`);
  },
  async letterCase(service, options) {
    const { otherCase } = await couponLife(service, options);
    if (!otherCase) return notSeen('The --code has no letters, or could not be read');
    const found = `The code in another case returns ${otherCase.status}`;
    return (otherCase.status === 404 ? asAssumed : accepted)(found);
  },
  async landingLinkBody(service, { write }) {
    if (!write) return notSeen('Add --write, --code and --email');
    const link = await service.post('landingLink.create', { utm_campaign: 'doctor' });
    const ask = 'Ask the Screen Advertising team for the names of the fields.';
    if (link.status === 400 || link.status === 422) {
      return differs(`utm_campaign is rejected (${link.status})`, ask);
    }
    const { json } = succeeded(link);
    const url = fieldsOf(json).url ?? fieldsOf(fieldsOf(json).data).url;
    if (typeof url !== 'string')
      return differs(`No url: ${namesIn(json)}`, 'Creating a landing link fails. Report it.');
    return url.includes('utm_campaign=doctor')
      ? asAssumed('utm_campaign is in the link')
      : differs('utm_campaign is not in the link', ask);
  },
};

function notRevoked({ status }: Reply): Finding {
  return differs(`Revoking returns ${status}`, stillActive);
}
