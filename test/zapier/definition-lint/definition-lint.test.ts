import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import listing from 'zapier-screen-advertising/listing.json' with { type: 'json' };
import { readConnection } from '../../../packages/zapier-screen-advertising/src/lib/connection.ts';
import { definitionOf, schemaErrorsOf } from '../app/definition.ts';
import { lintDefinition, rules } from './index.ts';

const packageFolder = join(__dirname, '../../../packages/zapier-screen-advertising');
const logo = readFileSync(join(packageFolder, 'icons/logo.png'));

/** Whether the app takes a base URL. */
function accepts(base_url: string): boolean {
  try {
    readConnection({ base_url, api_key: 'svc_definition_lint_0123' });
    return true;
  } catch {
    return false;
  }
}

/** A definition that tests may break, whatever its types say. */
type Loose = { [member: string]: Loose } & Loose[];

const variants = ['private', 'public'] as const;

describe.each(variants)('the %s variant', (variant) => {
  it('passes Zapier’s schema', async () => {
    expect(await schemaErrorsOf(variant)).toEqual([]);
  });

  it('has nothing that Zapier’s reviewers would ask to change', async () => {
    const definition = await definitionOf(variant);
    expect(
      lintDefinition({ definition, listing, logo, accepts, isPublic: variant === 'public' }),
    ).toEqual([]);
  });
});

const createCoupon = (definition: Loose) => at(definition, 'creates', 'create_coupon');
const throughRelay = (definition: Loose) =>
  at(definition, 'triggers', 'coupon_redeemed_through_relay');
const availability = (definition: Loose) => at(definition, 'searches', 'get_screen_availability');

function at(value: Loose, ...path: (string | number)[]): Loose {
  return path.reduce<Loose>((inner, step) => inner[step as string] as Loose, value);
}

function set(value: Loose, ...path: unknown[]): void {
  const to = path.pop();
  const last = path.pop() as string;
  Object.assign(at(value, ...(path as string[])), { [last]: to });
}

interface Broken {
  readonly place: string;
  readonly isPublic?: true;
  readonly accepts?: (baseUrl: string) => boolean;
  breakIt(definition: Loose): void;
}

/** For each rule, one definition that breaks it, and the place that the rule must name. */
const broken: Record<string, Broken> = {
  D001: {
    place: 'creates.create_coupon.api_key',
    breakIt: (d) => set(createCoupon(d), 'operation', 'inputFields', 0, 'key', 'api_key'),
  },
  D002: {
    place: 'authentication.base_url',
    breakIt: (d) => set(d, 'authentication', 'fields', 0, 'helpText', 'Ask somebody.'),
  },
  D003: {
    place: 'authentication.connectionLabel',
    breakIt: (d) => set(d, 'authentication', 'connectionLabel', '{{client_secret}}'),
  },
  D004: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'dynamic', undefined),
  },
  D005: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) =>
      set(availability(d), 'operation', 'inputFields', 0, 'dynamic', 'screen_list.id.title'),
  },
  D006: {
    place: 'triggers.coupon_redeemed_through_relay',
    isPublic: true,
    breakIt: (d) => set(throughRelay(d), 'operation', 'performList', undefined),
  },
  D007: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(
        createCoupon(d),
        'operation',
        'inputFields',
        0,
        'helpText',
        'See [it](http://a.example).',
      ),
  },
  D008: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 0, 'helpText', 'A <b>type</b>.'),
  },
  D009: {
    place: 'searches.get_screen_availability',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', []),
  },
  D010: {
    place: 'creates.create_coupon.code',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', 'code', undefined),
  },
  D011: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 0, 'helpText', 'Enter the discount type.'),
  },
  D012: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', {}),
  },
  D013: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'search', 'find_it.id'),
  },
  D014: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'list', true),
  },
  D015: {
    place: 'searchOrCreates.find_coupon',
    breakIt: (d) => set(d, 'searchOrCreates', 'find_coupon', 'create', 'make_coupon'),
  },
  D025: {
    place: 'creates.create_coupon.code',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 3, 'helpText', '[x](javascript:alert(1))'),
  },
  D026: {
    place: 'authentication.base_url http://service.example/api/v1',
    accepts: () => true,
    breakIt: () => undefined,
  },
  T004: {
    place: 'creates.create_coupon.status',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', 'status', 'active'),
  },
  search: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'search', undefined),
  },
  find: {
    place: 'searches.get_screen_availability',
    breakIt: (d) => set(availability(d), 'display', 'label', 'Get Screen Availability'),
  },
  noun: {
    place: 'triggers.coupon_redeemed',
    breakIt: (d) => set(d, 'triggers', 'coupon_redeemed', 'noun', 'Coupon Redeemed'),
  },
  alike: {
    place: 'triggers.new_campaign_request',
    breakIt: (d) =>
      set(
        d,
        'triggers',
        'new_campaign_request',
        'display',
        'description',
        at(d, 'triggers', 'campaign_request_created', 'display').description,
      ),
  },
  output: {
    place: 'creates.create_coupon.code',
    breakIt: (d) => set(createCoupon(d), 'operation', 'outputFields', 1, 'label', 'Code'),
  },
  unit: {
    place: 'searches.get_screen_availability.available_sov_pct',
    breakIt: (d) => set(availability(d), 'operation', 'outputFields', 5, 'label', 'Available'),
  },
  undo: {
    place: 'creates.revoke_coupon',
    breakIt: (d) => set(d, 'creates', 'revoke_coupon', 'display', 'description', 'Revokes it.'),
  },
  open: {
    place: 'creates.create_coupon.code',
    breakIt: (d) =>
      set(
        createCoupon(d),
        'operation',
        'inputFields',
        3,
        'helpText',
        'The service does not publish it.',
      ),
  },
  D016: {
    place: 'triggers.coupon_redeemed',
    breakIt: (d) => {
      set(d, 'creates', {});
      set(d, 'searches', {});
      set(d, 'triggers', { coupon_redeemed: at(d, 'triggers', 'coupon_redeemed') });
    },
  },
  D017: {
    place: 'triggers.coupon_redeemed_through_relay',
    isPublic: true,
    breakIt: (d) => set(throughRelay(d), 'operation', 'performUnsubscribe', undefined),
  },
  D018: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'display', 'label', 'Create coupon'),
  },
  D021: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'display', 'description', 'Create a coupon'),
  },
  D022: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'operation', 'inputFields', ['$func$2$f$']),
  },
  D023: {
    place: 'searches.find_screen.created_at',
    breakIt: (d) =>
      set(d, 'searches', 'find_screen', 'operation', 'sample', 'created_at', '2027-03-01 09:30'),
  },
  D024: {
    place: 'creates.create_coupon.discount_value',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', 'discount_value', '25'),
  },
  label: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'label', 'Screen ID'),
  },
};

describe('the rules', () => {
  it('each have an example that breaks them', () => {
    const examples = [...Object.keys(broken), 'M001', 'M002', 'M004'];
    expect(examples.toSorted()).toEqual(rules.map(({ code }) => code).toSorted());
  });

  it.each(Object.entries(broken))('%s names the place that breaks it', async (code, example) => {
    const definition = structuredClone(await definitionOf('private'));
    example.breakIt(definition as unknown as Loose);
    const findings = lintDefinition({
      definition,
      listing,
      logo,
      accepts: example.accepts ?? accepts,
      isPublic: example.isPublic ?? false,
    });
    expect(findings).toContainEqual(expect.objectContaining({ code, place: example.place }));
  });

  it.each<[string, string, Partial<typeof listing>]>([
    ['M001', 'without a category', { category: '' }],
    ['M002', 'with a description that is too short', { description: `${listing.title} is a.` }],
    ['M002', 'with one that is too long', { description: listing.description.repeat(2) }],
    ['M002', 'with one that names Zapier', { description: `${listing.description} For Zapier.` }],
    [
      'M002',
      'with one of what one can do',
      { description: 'Find screens, create coupons, and more.' },
    ],
  ])('%s refuses a listing %s', async (code, _what, change) => {
    expect(await marketing(code, { listing: { ...listing, ...change } })).toHaveLength(1);
    expect(await marketing(code, {})).toEqual([]);
  });

  it('M004 refuses a logo without transparency, or that is not square', async () => {
    for (const [at, byte] of [
      [25, 2],
      [19, 1],
    ] as const) {
      const changed = new Uint8Array(logo);
      changed[at] = byte;
      expect(await marketing('M004', { logo: changed })).toEqual(['icons/logo.png']);
    }
  });
});

async function marketing(code: string, change: object): Promise<string[] | undefined> {
  const definition = await definitionOf('public');
  const rule = rules.find((one) => one.code === code);
  return rule?.check({ definition, listing, logo, accepts, isPublic: true, ...change });
}
