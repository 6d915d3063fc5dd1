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

const plain = how('must be a plain number such as 25 or 12.5');
const whole = how('must be a whole number');
const number = how('must be a number');
const amount = how('such as 150 or 12.50');
const cents = how('must be a whole number of cents');
const budget = how('must be a number of cents, such as 400000');
const oneOf = how('must be one of');
const email = how('must be an email address such as lead@example.com');
const noSpaces = how('must have no spaces, such as SPRING-25');
const date = how('YYYY-MM-DD, such as 20');
const dateOrTime = how('must be a date such as 2027-03-31');
const ofService = how('YYYY-MM-DD');
const order = how('must not be before');
const country = how('must be a 2-letter country code, such as DE');
const place = how('such as 52.5200, 13.4050');
const found = sent('/screens');

type Short = readonly [wrong: Input, form: Verdict, program?: Verdict];

/** Programs get the same as people unless the row says otherwise. */
const of = (task: CompoundOperationName, rows: readonly Short[]): Row[] =>
  rows.map(([wrong, form, program = form]) => ({ task, wrong, form, program }));

const percent = (discount_value: string): Input => ({ discount_value });
const money = (discount_value: string) => ({ discount_type: 'amount_cents', discount_value });
const days = (discount_value: string) => ({ discount_type: 'free_days', discount_value });

export const rows: readonly Row[] = [
  ...of('coupon.create', [
    [percent('25%'), sent('"discount_value":25,'), number],
    [percent('25 %'), sent('"discount_value":25,'), number],
    [percent('12,5'), sent('"discount_value":12.5,'), number],
    [percent('1.000,50'), plain, number],
    [percent('25 EUR'), plain, number],
    [percent('twenty-five'), plain, number],
    [percent('101'), how('must be at most 100')],
    [percent('0'), how('must be greater than 0')],
    [percent('-5'), how('must be greater than 0')],
    [money('12,50'), sent('"discount_value":1250,'), number],
    [money('12.55'), sent('"discount_value":1255,'), cents],
    [money('12.505'), amount, cents],
    [money('€ 12'), amount, number],
    [money('1,000'), amount, number],
    [money('1.000,00'), amount, number],
    [money('25%'), amount, number],
    [days('1,5'), whole, number],
    [days('one week'), whole, number],
    [{ discount_type: 'Prozent' }, oneOf],
    [{ discount_type: 'Percent' }, sent('"discount_type":"percent"'), oneOf],
    [{ lead_email: ' lead@example.com ' }, sent('"lead_email":"lead@example.com"')],
    [{ lead_email: 'lead at example.com' }, email],
    [{ lead_email: 'lead@ example.com' }, email],
    [{ lead_email: 'Anna Muster <anna@example.com>' }, email],
    [{ lead_email: 'anna@example.com, bob@example.com' }, email],
    [{ lead_email: 'jörg@münchen.example' }, sent('"lead_email":"jörg@münchen.example"')],
    [{ code: 'SPRING 25' }, noSpaces],
    [{ code: 'Spring sale, 25% off' }, noSpaces],
    [{ code: ' SPRING-25 ' }, sent('"code":"SPRING-25"')],
    [{ code: 'FRÜHLING-25' }, sent('"code":"FRÜHLING-25"')],
    [{ max_redemptions: '1,5' }, whole],
    [{ max_redemptions: '1 000' }, whole],
    [{ max_redemptions: 'ten' }, whole],
    [{ max_redemptions: '5000' }, how('must be at most 1000')],
    [{ valid_until: '31.12.2099' }, sent('"valid_until":"2099-12-31"'), dateOrTime],
    [{ valid_until: '12/31/2099' }, sent('"valid_until":"2099-12-31"'), dateOrTime],
    [{ valid_until: '03/04/2099' }, date, dateOrTime],
    [{ valid_until: 'next Friday' }, dateOrTime, ofService],
    [{ valid_until: '31. Dezember 2099' }, dateOrTime, ofService],
  ]),
  ...of('screen.list', [
    [{ country: 'Austria' }, sent('country=AT'), country],
    [{ country: 'Österreich' }, sent('country=AT'), country],
    [{ country: 'deutschland' }, sent('country=DE'), country],
    [{ country: 'Atlantis' }, country],
    [{ country: 'DEU' }, country],
    [{ country: 'Germany and Austria' }, country],
    [{ city: '  Berlin ' }, sent('city=Berlin')],
    [{ city: 'München' }, sent('city=M%C3%BCnchen')],
  ]),
  ...of('screen.findAvailable', [
    [{ from: '01.03.2099', to: '14.3.2099' }, found, date],
    [{ from: '03/01/2099' }, date],
    [{ from: '1 March 2099' }, date],
    [{ from: '2099-02-30' }, date],
    [{ from: 'heute' }, date],
    [{ from: '2099-03-14', to: '2099-03-01' }, order],
    [{ min_available_sov_pct: '20%' }, found, number],
    [{ min_available_sov_pct: '20,5' }, found, number],
    [{ min_available_sov_pct: '101' }, how('must be at most 100')],
    [{ min_available_sov_pct: 'a lot' }, plain, number],
    [{ budget_cents: '4000,00' }, found, budget],
    [{ budget_cents: '€ 4000' }, amount, budget],
    [{ budget_cents: '4.000,00' }, amount, budget],
    [{ near: 'the main station in Berlin' }, place],
    [{ near: '52,52; 13,405' }, place],
    [{ near: '52.52, 13.405', radius_km: '2 km' }, plain, number],
    [{ near: '52.52, 13.405', radius_km: '2,5' }, found, number],
  ]),
  ...of('screen.availability', [
    [{ from: '2099-03-14', to: '2099-03-01' }, order],
    [{ to: '14.03.2099' }, sent('to=2099-03-14'), date],
  ]),
  ...of('user.lookup', [[{ email: 'lead(at)example.com' }, email]]),
  ...of('campaignRequest.list', [
    [{ status: 'Rejected' }, sent('status=rejected'), oneOf],
    [{ status: 'abgelehnt' }, oneOf],
    [{ from: '01.01.2026' }, sent('from=2026-01-01'), dateOrTime],
    [{ from: '2026-12-31', to: '2026-01-01' }, order],
    [{ from: 'last week' }, dateOrTime, ofService],
    [{ industry: 'Gastronomie & Hotels' }, sent('industry=Gastronomie%20%26%20Hotels')],
  ]),
];
