import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import {
  EmptyConditionError,
  emailKey,
  type FormOptions,
  type ReadField,
  readArguments,
  readFields,
  type readForm,
  readJsonObject,
  readNamedValuePairs,
  readSetting,
  shownFields as shown,
  whenEmptyField,
} from '@screen-advertising/core/forms';

type Row = readonly [given: unknown, read: unknown];
const choices = [
  { value: 'rejected', title: 'Rejected' },
  { value: 'no_inventory', title: 'No Inventory' },
];

/** The value that is read, the message of the refusal, or nothing for a field that is left out. */
function outcome(field: Partial<ReadField>, given: unknown, options?: FormOptions): unknown {
  const whole = { type: 'text', name: 'x', title: 'X', choices, ...field } as const;
  try {
    return readFields('Form', [whole], { x: given }, options).x;
  } catch (error) {
    return (error as Error).message.replace(/^Form was not sent: x (.*)\.$/, '$1');
  }
}

const invisible = (code: string) =>
  `contains an invisible character (${code}): type it again, without copying`;
const noObject = (what: string) => `must be ${what}, not an object`;
const whole = 'must be a whole number such as 25, without units, spaces, or separators';
const plain =
  'must be a plain number such as 25 or 12.5, without units, spaces, or thousands separators';
const digits = 'has too many digits for a number: pass it as text to keep them all';
const toggle = 'must be true or false';
const one = 'must be one of Rejected, No Inventory';
const some = 'must be some of Rejected, No Inventory';

const kinds: ReadonlyArray<readonly [Partial<ReadField>, readonly Row[]]> = [
  [
    { type: 'text' },
    [
      ...[undefined, null, '', '  ', '\u200b', '\u00a0\ufeff', [], [null], {}].map(
        (given): Row => [given, undefined],
      ),
      ['\u200b Berlin\u00a0', 'Berlin'],
      ['Ber\u200blin', invisible('U+200B')],
      ['Ber\u00adlin', invisible('U+00AD')],
      ['Ber\u202alin', invisible('U+202A')],
      ['Ber\u200clin', invisible('U+200C')],
      // They join letters of other scripts, and emoji.
      ['می\u200cخواهم', 'می\u200cخواهم'],
      ['👩\u200d💻 ❤\ufe0f', '👩\u200d💻 ❤\ufe0f'],
      ['a\nb', 'a\nb'],
      [42, '42'],
      [7_615_917_337_495_252_000, digits],
      [['Berlin'], 'Berlin'],
      [['Berlin', '', null], 'Berlin'],
      [['Berlin', 'Graz'], 'must be one value, not 2'],
      [{ city: 'Berlin' }, noObject('text')],
      [true, 'must be text, not true'],
    ],
  ],
  [
    { type: 'email' },
    [
      ...['\u200b', '\u200c', '\u200e', '\u2060', '\u00ad', '\u202a', '\u0007'].map(
        (hidden): Row => [`a${hidden}@b.de`, 'a@b.de'],
      ),
      [' a@b.de\n', 'a@b.de'],
      ['mailto:a@b.de', 'a@b.de'],
      ['<a@b.de>', 'a@b.de'],
      ['Ada Lovelace <A@b.de>', 'A@b.de'],
      [['a@b.de', 'c@d.de'], 'must be one value, not 2'],
    ],
  ],
  [
    { type: 'code' },
    [
      ['SPRING\u200b-25\u00a0', 'SPRING-25'],
      ['\u2060SPRING-25', 'SPRING-25'],
      [25, '25'],
      [['LI-1', 'LI-2'], 'must be one value, not 2'],
    ],
  ],
  [
    { type: 'number' },
    [
      ['12,5', 12.5],
      [' 12.5 ', 12.5],
      ['0x10', `${plain}, not "0x10"`],
      ['1e3', `${plain}, not "1e3"`],
      ['1,000', `${plain}, not "1,000"`],
      ['9007199254740993', digits],
      [true, `${plain}, not true`],
      [{}, undefined],
      [{ a: 1 }, noObject(plain.replace('must be ', ''))],
    ],
  ],
  [
    { type: 'integer' },
    [
      ['25', 25],
      ['25.0', 25],
      ['2.5', `${whole}, not "2.5"`],
      [2.999_999_999_999_999_6, 3],
      [2.5, 2.5],
    ],
  ],
  [
    { type: 'number', unit: 'cents' },
    [
      [3.300_000_000_000_000_3, 330],
      ['3.3000000000000003', 330],
    ],
  ],
  [
    { type: 'toggle' },
    [
      ...['true', 'TRUE', 'yes', 'y', 'on', '1', '1.0', 1, true].map((is): Row => [is, true]),
      ...['false', 'no', 'N', 'off', '0', ' 0.0 ', 0, false].map((is): Row => [is, false]),
      ['maybe', `${toggle}, not "maybe"`],
      [2, `${toggle}, not 2`],
      [{ a: 1 }, `${toggle}, not an object`],
      [null, undefined],
    ],
  ],
  [
    { type: 'choice' },
    [
      ['No Inventory', 'no_inventory'],
      [' REJECTED\u200b', 'rejected'],
      [['rejected'], 'rejected'],
      ['lost', `${one}, not "lost"`],
    ],
  ],
  [
    { type: 'choices' },
    [
      ['rejected', ['rejected']],
      ['Rejected, no_inventory', ['rejected', 'no_inventory']],
      ['["rejected"]', ['rejected']],
      [['rejected', '', 'rejected'], ['rejected']],
      [['rejected', 'lost'], `${some}, not "lost"`],
      [{ a: 1 }, `${some}, not an object`],
    ],
  ],
  [
    { type: 'date' },
    [
      ['2027\u200b-03-31', '2027-03-31'],
      [46_112, 'must be a day such as 2027-03-31, without a time, not 46112'],
      [{ day: 1 }, 'must be a day such as 2027-03-31, without a time, not an object'],
      [['2027-03-31'], '2027-03-31'],
    ],
  ],
  [
    { type: 'json' },
    [
      ['{"id": 7615917337495251231}', { id: '7615917337495251231' }],
      ['{"id": 42', 'starts like JSON but is not valid JSON, such as {"crm_id": "42"}'],
      ['spring', 'spring'],
      [7_615_917_337_495_252_000, digits],
      [false, false],
      [0, 0],
    ],
  ],
];

describe.each(kinds)('the kind of field %j', (field, rows) => {
  it.each(rows)('reads %j as %j', (given, read) => {
    expect(outcome(field, given)).toEqual(read);
  });
});

const city: Partial<ReadField> = { title: 'City', widens: 'Leave It Out' };
const cameOutEmpty = `came out empty: correct what fills it, or set 'When a Condition Is Empty' to 'Leave It Out'`;

describe('a condition that was mapped or computed', () => {
  const computed = (written: unknown, more: FormOptions = {}): FormOptions => ({
    written: { x: written },
    ...more,
  });

  it.each([undefined, null, '', ' ', '\u200b', [], {}])(
    'fails where it came out as %j',
    (given) => {
      expect(outcome(city, given, computed('{{1__city}}'))).toBe(cameOutEmpty);
      expect(outcome(city, given, computed('={{ $json.typo }}'))).toBe(cameOutEmpty);
      expect(outcome(city, given, computed({ city: '{{1__city}}' }))).toBe(cameOutEmpty);
      expect(outcome(city, given, computed(' '))).toBeUndefined();
      expect(outcome(city, given)).toBeUndefined();
    },
  );

  it('is empty, too, where only the text around the tag is there', () => {
    expect(outcome(city, 'Bad ', computed('Bad {{1__city}}'))).toBe(cameOutEmpty);
    expect(outcome(city, 'Bad Ischl', computed('Bad {{1__city}}'))).toBe('Bad Ischl');
    expect(outcome({ type: 'code' }, 'WELCOME-', computed('=WELCOME-{{ $json.id }}'))).toBe(
      'is only "WELCOME-", because the value mapped into it came out empty',
    );
  });

  it('is left out, or ends the search, where its owner says so', () => {
    const given = { x: '' };
    const read = (whenEmpty: FormOptions['whenEmpty']) => () =>
      readFields(
        'Form',
        [{ type: 'text', name: 'x', title: 'City', widens: 'Leave It Out' }],
        given,
        {
          written: { x: '{{1__city}}' },
          whenEmpty,
        },
      );
    expect(read('leave_out')()).toEqual({});
    expect(read('find_nothing')).toThrow(EmptyConditionError);
  });

  it('is left out where that widens nothing, and its form hears of it', () => {
    const heard: string[] = [];
    const onLeftOut = ({ title }: { readonly title: string }) => void heard.push(title);
    expect(outcome({}, '', computed('{{1__x}}', { onLeftOut }))).toBeUndefined();
    expect(outcome({}, '', { onLeftOut })).toBeUndefined();
    expect(heard).toEqual(['X']);
  });

  it('has a setting in every form that has conditions', () => {
    const setting = (entry: Parameters<typeof readForm>[0]) =>
      whenEmptyField(shown(entry).filter(({ widens }) => widens));
    expect(setting(operations['coupon.create'])).toMatchObject({
      title: 'When Valid Until Is Empty',
      choices: [
        { value: 'fail', title: 'Fail' },
        { value: 'leave_out', title: 'No End' },
      ],
    });
    expect(setting(operations['screen.list'])).toMatchObject({
      title: 'When a Condition Is Empty',
      choices: [
        { value: 'fail', title: 'Fail' },
        { value: 'find_nothing', title: 'Find Nothing' },
        { value: 'leave_out', title: 'Leave It Out' },
      ],
    });
    expect(setting(operations['screen.get'])).toBeUndefined();
  });

  it('names every field whose absence widens what is found or given', () => {
    const all = { ...operations, ...compoundOperations };
    const widening = Object.values(all).flatMap((entry) =>
      shown(entry).flatMap(({ name, widens }) => (widens ? [`${entry.name} ${name}`] : [])),
    );
    expect(widening.toSorted()).toEqual(
      [
        ...['country', 'city', 'orientation', 'bbox'].flatMap((name) => [
          `screen.list ${name}`,
          `screen.findNearby ${name}`,
          `screen.findAvailable ${name}`,
          `screen.availabilityChanged ${name}`,
        ]),
        ...['near', 'radius_km'].flatMap((name) => [
          `screen.findAvailable ${name}`,
          `screen.availabilityChanged ${name}`,
        ]),
        'screen.findNearby radius_km',
        'screen.findAvailable min_available_sov_pct',
        'screen.findAvailable budget_cents',
        'campaignRequest.list status',
        'campaignRequest.list from',
        'campaignRequest.list to',
        'campaignRequest.list industry',
        'coupon.create valid_until',
      ].toSorted(),
    );
  });
});

describe('line items that a platform joins', () => {
  const joined = (type: ReadField['type'], given: string) =>
    outcome({ type }, given, { written: { x: '{{1__x}}' }, joinsLists: true });
  const items = ': line items arrive with a comma between them';

  it('are refused with what the field takes', () => {
    expect(joined('number', '5,10')).toBe(
      `must be one number with a decimal point, such as 5.10, not "5,10"${items}`,
    );
    expect(joined('integer', '5,10')).toBe(
      `must be one whole number, such as 5, not "5,10"${items}`,
    );
    expect(joined('code', 'LI-1,LI-2')).toBe(`must be one value, not "LI-1,LI-2"${items}`);
    expect(joined('email', 'a@b.de,c@d.de')).toBe(
      `must be one address, not "a@b.de,c@d.de"${items}`,
    );
    expect(joined('text', 'Graz, Austria')).toBe('Graz, Austria');
  });
});

describe('the arguments of a program', () => {
  const coupon = { discount_type: 'amount_cents', lead_email: 'a@b.de' };
  const refusalOf = (given: object, isText = false): string => {
    try {
      readArguments(operations['coupon.create'], { ...coupon, ...given }, { isText });
      return '';
    } catch (error) {
      return (error as Error).message.replace('Create Coupon was not sent: ', '');
    }
  };

  it('are in cents, and moments are kept', () => {
    const given = { ...coupon, discount_value: '1250', valid_until: '2027-03-31T22:00:00Z' };
    expect(readArguments(operations['coupon.create'], given)).toEqual({
      ...coupon,
      discount_value: 1250,
      valid_until: '2027-03-31T22:00:00Z',
    });
  });

  it('are refused when empty', () => {
    expect(refusalOf({ discount_value: 1, code: ' ' })).toBe(
      'code must not be empty: leave it out instead.',
    );
    expect(refusalOf({ discount_value: '0x10' })).toContain(
      'discount_value must be a plain number',
    );
  });

  it('keep the digits of JSON, and other values than text', () => {
    const lead_metadata = '{"id": 7615917337495251231}';
    const read = (isText: boolean) =>
      readArguments(operations['coupon.create'], { lead_metadata }, { isText });
    expect(read(true)).toEqual({ lead_metadata: { id: '7615917337495251231' } });
    expect(read(false)).toEqual({ lead_metadata });
  });
});

it('pairs leave out what has no value, and name what is wrong', () => {
  const read = (
    pairs: Parameters<typeof readNamedValuePairs>[1],
    type: 'text' | 'json' = 'text',
  ) => {
    try {
      return readNamedValuePairs('Form', pairs, type);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(
    read([
      [' utm_campaign\u200b', ' spring '],
      ['utm_term', ' '],
      ['utm_id', null],
      ['', ''],
      ['utm_content', 42],
    ]),
  ).toEqual({
    members: { utm_campaign: 'spring', utm_content: 42 },
    leftOut: ['utm_term', 'utm_id'],
  });
  expect(read([['utm_campaign', { name: 'spring' }]])).toBe(
    'Form was not sent: utm_campaign must be text, not an object.',
  );
  expect(read([['crm', { id: 42 }]], 'json')).toEqual({
    members: { crm: { id: 42 } },
    leftOut: [],
  });
  expect(
    read([
      ['', 'spring'],
      ['a', 1],
      ['a', 2],
    ]),
  ).toBe('Form was not sent: every field needs a name; a is set twice.');
});

it('an object may be written as JSON', () => {
  const read = (given: unknown) =>
    readJsonObject('Form', 'JSON', given, '{"utm_campaign": "spring"}');
  expect(read('{"utm_id": 7615917337495251231}')).toEqual({ utm_id: '7615917337495251231' });
  expect(read({ utm_id: 1 })).toEqual({ utm_id: 1 });
  expect(() => read('[1]')).toThrow('JSON must be an object with fields, such as {"utm_campaign"');
  expect(() => read('{')).toThrow('JSON must be valid JSON');
});

it('a setting of a platform has limits and a default', () => {
  const range = [1, Number.POSITIVE_INFINITY] as const;
  const limit = { name: 'Limit', title: 'Limit', type: 'integer', range } as const;
  const read = (given: unknown) => readSetting('Get Many', limit, given, 50);
  expect([read(''), read(null), read('7'), read(7)]).toEqual([50, 50, 7, 7]);
  for (const given of [0, 2.5, 'abc', true]) {
    const shown = JSON.stringify(given);
    expect(() => read(given)).toThrow(`Limit must be a whole number, 1 or more, not ${shown}`);
  }
});

it('an address is one key, however it was written', () => {
  expect(emailKey(' Mailto:Lead\u200b@Example.com\u00a0')).toBe('lead@example.com');
  expect(emailKey('"Lead" <LEAD@example.com>')).toBe('lead@example.com');
  expect(emailKey(null)).toBe('');
});
