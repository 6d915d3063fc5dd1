import { expect, it } from '@jest/globals';
import { ScreenAdvertisingError } from '@screen-advertising/core';
import {
  type LeadCoupon,
  leadCouponOperations,
  withLeadCoupons,
} from '@screen-advertising/core/lead-coupons';
import { tier } from '../../support/tier.ts';
import { type Fate, type ModelCoupon, ModelService } from './model-service.ts';

/** The same numbers from 0 to 1 for each seed. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const key = 'a coupon key of a partner';
const fates: readonly Fate[] = ['lost before', 'lost after', 'late', '503 before', '503 after'];
const spellings = ['lead@example.com', ' Lead@Example.com', 'LEAD@EXAMPLE.COM\u200b'];

/** Ten letters and digits follow the prefix. */
const isOfSeries = (code: string, prefix: string) =>
  code.startsWith(prefix) && /^[2-9A-HJ-NP-Z]{10}$/.test(code.slice(prefix.length));

/** What one seed has seen, for the rules of the whole story. */
class Story {
  readonly #chance: () => number;
  readonly service: ModelService;
  readonly #faulty: boolean;
  /** Coupons that a call with Return It made, by series. */
  readonly made = new Map<string, number>();
  #calls = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
    this.service = new ModelService({
      showsStatus: this.#one([true, false]),
      unknownStatus: this.#one([404, 404, 400, 403]),
    });
    this.#faulty = this.#one([true, false]);
    this.service.fate = () => (this.#faulty && this.#chance() < 0.3 ? this.#one(fates) : 'arrives');
    this.service.turn = async () => {
      for (let turns = this.#chance() * 4; turns > 1; turns -= 1) await null;
    };
  }

  #one<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#chance() * values.length)] as Value;
  }

  async tell(): Promise<void> {
    for (let step = 0; step < 8; step += 1) {
      const chance = this.#chance();
      if (chance < 0.15) this.#end();
      else if (chance < 0.25) await this.#foreign();
      else if (chance < 0.35) await this.#find();
      else if (chance < 0.5) await Promise.all([this.#create(), this.#create()]);
      else await this.#create();
    }
    this.service.fate = () => 'arrives';
    for (const prefix of ['', 'SPRING-']) await this.#findAll(prefix);
  }

  /** The lead redeems a coupon, or it is revoked or expires. */
  #end(): void {
    for (const coupon of this.service.coupons) {
      if (coupon.state === 'active') coupon.state = this.#one(['redeemed', 'revoked', 'expired']);
    }
  }

  /** Someone gives the lead a coupon by hand. */
  async #foreign(): Promise<void> {
    const { service } = this;
    if (service.coupons.some(({ state }) => state === 'active')) return;
    const terms = { discount_type: 'percent', discount_value: 10, max_redemptions: 1 };
    const code = `HAND-${service.coupons.length}`;
    service.coupons.push({
      ...terms,
      code,
      lead_email: 'lead@example.com',
      state: 'active',
      by: '',
    });
  }

  async #create(): Promise<void> {
    const { service } = this;
    const by = `call ${++this.#calls}`;
    const code_prefix = this.#one(['', 'SPRING-']);
    const if_lead_had_one = this.#one(['return', 'return', 'return', 'create'] as const);
    const discount_value = this.#one([10, 10, 10, 20]);
    const existing = new Set(service.coupons.map(({ code }) => code));
    const client = withLeadCoupons(service.client(by, this.#one([1, 3])), key);
    const result = await client
      .call(leadCouponOperations.create, {
        discount_type: 'percent',
        discount_value,
        lead_email: this.#one(spellings).replaceAll(/[\s\u200b]/g, ''),
        ...(code_prefix && { code_prefix }),
        if_lead_had_one,
      })
      .catch((error: unknown) => error);
    const own = service.coupons.filter((coupon) => coupon.by === by);
    const requests = service.log.filter((line) => line.startsWith(`${by}: `));
    const isLost = requests.some((line) => !line.endsWith('arrives'));
    if (if_lead_had_one === 'return') expect(own.length).toBeLessThanOrEqual(1);
    if (!isLost && if_lead_had_one === 'return') expect(requests.length).toBeLessThanOrEqual(2);
    if (if_lead_had_one === 'return' && own.length > 0) {
      this.made.set(code_prefix, (this.made.get(code_prefix) ?? 0) + 1);
    }
    if (ScreenAdvertisingError.isInstance(result))
      this.#judgeError(result, isLost, discount_value, code_prefix);
    else this.#judgeCoupon(result as LeadCoupon, { own, existing, isLost, discount_value });
  }

  #judgeError(
    { code, message }: ScreenAdvertisingError,
    isLost: boolean,
    value: number,
    prefix: string,
  ): void {
    expect(message).toMatch(/^Create Coupon |^Get Coupon |^The connection/);
    if (!isLost) expect(code).toBe('conflict');
    if (code === 'outcome_unknown') expect(isLost).toBe(true);
    if (code !== 'conflict') return;
    // Either another campaign or a person gave the lead a coupon, or the terms are others.
    const isOther = ({ code: own, discount_value }: ModelCoupon) =>
      !isOfSeries(own, prefix) || discount_value !== value;
    expect(this.service.coupons.some(isOther)).toBe(true);
  }

  #judgeCoupon(
    { code, created, coupon_note = '' }: LeadCoupon,
    seen: {
      own: readonly ModelCoupon[];
      existing: ReadonlySet<string>;
      isLost: boolean;
      discount_value: number;
    },
  ): void {
    const { own, existing, isLost, discount_value } = seen;
    const coupon = this.service.coupons.find((other) => other.code === code);
    expect(coupon).toMatchObject({ discount_value });
    expect(code).not.toMatch(/^HAND-/);
    if (created === true) {
      expect(own.map((other) => other.code)).toContain(code);
      expect(existing.has(String(code))).toBe(false);
    } else if (created === false) {
      expect(own.map((other) => other.code)).not.toContain(code);
    } else expect(isLost).toBe(true);
    if (coupon?.state !== 'active') expect(coupon_note).toMatch(/ is over: | may be over: /);
  }

  async #find(): Promise<void> {
    await this.#findAll('', this.service.client('find')).catch(() => undefined);
  }

  /** Nothing is lost: the newest coupon of each series is found by its lead. */
  async #findAll(prefix: string, base = this.service.client('find')): Promise<void> {
    const client = withLeadCoupons(base, key);
    const newest = this.service.coupons.filter(({ code }) => isOfSeries(code, prefix)).at(-1);
    const more = prefix ? { code_prefix: prefix } : {};
    const found = await client
      .call(leadCouponOperations.get, { lead_email: 'lead@example.com', ...more })
      .catch((error: unknown) => error);
    if (newest) expect(found).toMatchObject({ code: newest.code });
    else expect(['not_found', 'missing_scope']).toContain((found as ScreenAdvertisingError).code);
  }
}

const stories = tier === 'everyday' ? 50 : 500;

it('stories of callers, redemptions, revokes and lost responses keep the rules', async () => {
  for (let seed = 1; seed <= stories; seed += 1) {
    const story = new Story(seed);
    await story.tell().catch((error: unknown) => {
      throw new Error(`Seed ${seed}:\n${story.service.log.join('\n')}`, { cause: error });
    });
    // However often it runs, a lead gets one coupon of a series, unless another one was asked for.
    for (const [prefix, made] of story.made)
      expect([seed, prefix, made]).toEqual([seed, prefix, 1]);
  }
});
