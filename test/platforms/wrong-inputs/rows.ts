import type { CompoundOperationName, Input } from './players.ts';

/** Accepted as meant: what the request holds. Refused: what the error says about writing it. */
export type Verdict = { readonly sent: string } | { readonly how: string };

export interface Row {
  readonly task: CompoundOperationName;
  readonly wrong: Input;
  /** In the forms of n8n and Zapier, and for programs: a model, or a command line. */
  readonly form: Verdict;
  readonly program: Verdict;
}

const sent = (part: string): Verdict => ({ sent: part });
const how = (part: string): Verdict => ({ how: part });

/** What a person would have entered if nothing were wrong. */
export const right: Readonly<Record<CompoundOperationName, Input>> = {
  'coupon.create': {
    discount_type: 'percent',
    discount_value: '25',
    lead_email: 'lead@example.com',
  },
  'screen.list': { city: 'Berlin' },
  'screen.findAvailable': { from: '2099-03-01', to: '2099-03-14', city: 'Berlin' },
  'screen.availability': { screenId: 'scr_berlin_0001', from: '2099-03-01', to: '2099-03-14' },
  'user.lookup': {},
  'campaignRequest.list': { status: 'rejected' },
};

const number = how('must be a number');
const email = how('must be an email address such as lead@example.com');
const dateOrTime = how('must be a date such as 2027-03-31');
const order = how('must not be before');
const oneOf = how('must be one of');

type Short = readonly [wrong: Input, form: Verdict, program?: Verdict];

/** Programs get the same as people unless the row says otherwise. */
const of = (task: CompoundOperationName, rows: readonly Short[]): Row[] =>
  rows.map(([wrong, form, program = form]) => ({ task, wrong, form, program }));

const money = (discount_value: string) => ({ discount_type: 'amount_cents', discount_value });

/** Some for each kind of field; `test/shared/forms` has the others. */
export const rows: readonly Row[] = [
  ...of('coupon.create', [
    [{ discount_value: '25%' }, sent('"discount_value":25,'), number],
    [{ discount_value: 'twenty-five' }, how('must be a plain number such as 25 or 12.5'), number],
    [{ discount_value: '101' }, how('must be at most 100')],
    [money('12,50'), sent('"discount_value":1250,'), number],
    [money('12.505'), how('such as 150 or 12.50'), how('must be a whole number of cents')],
    [{ discount_type: 'Percent' }, sent('"discount_type":"percent"'), oneOf],
    [{ lead_email: ' lead@example.com ' }, sent('"lead_email":"lead@example.com"')],
    [{ lead_email: 'Anna Muster <anna@example.com>' }, email],
    [{ lead_email: 'jörg@münchen.example' }, sent('"lead_email":"jörg@münchen.example"')],
    [{ code: 'SPRING 25' }, how('must have no spaces, such as SPRING-25')],
    [{ code: 'FRÜHLING-25' }, sent('"code":"FRÜHLING-25"')],
    [{ max_redemptions: 'ten' }, how('must be a whole number')],
    [{ valid_until: '31.12.2099' }, sent('"valid_until":"2099-12-31"')],
    [{ valid_until: 'next Friday' }, dateOrTime],
  ]),
  ...of('screen.list', [
    [
      { country: 'Österreich' },
      sent('country=AT'),
      how('must be a 2-letter country code, such as DE'),
    ],
    [{ city: 'München' }, sent('city=M%C3%BCnchen')],
  ]),
  ...of('screen.findAvailable', [
    [{ from: '01.03.2099', to: '14.3.2099' }, sent('/screens')],
    [{ from: '2099-03-14', to: '2099-03-01' }, order],
    [{ budget_cents: '4000,00' }, sent('/screens'), how('must be a number of cents')],
    [{ near: '52,52; 13,405' }, how('such as 52.5200, 13.4050')],
  ]),
  ...of('screen.availability', [[{ from: '2099-03-14', to: '2099-03-01' }, order]]),
  ...of('user.lookup', [[{ email: 'lead(at)example.com' }, email]]),
  ...of('campaignRequest.list', [
    [{ status: 'Rejected' }, sent('status=rejected'), oneOf],
    [{ from: '01.01.2026' }, sent('from=2026-01-01')],
  ]),
];
