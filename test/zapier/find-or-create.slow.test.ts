import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import publicApp from 'zapier-screen-advertising/public';
import { withService } from './app/use-service.ts';
import { readZapierError, type Service, type ZapierRunner } from './app/zapier.ts';

const lead_email = 'lead@example.com';
const terms = { discount_type: 'free_days', discount_value: 2 };
const ofCode = { code: 'WELCOME', if_code_exists: 'return' };
const only_active = true;

/** How a person fills in the step: what the search finds by, and what the other half creates. */
const forms = {
  code: [{ code: 'WELCOME' }, ofCode],
  'code, lead': [{ code: 'WELCOME', lead_email }, ofCode],
  'code, active': [{ code: 'WELCOME', only_active }, ofCode],
  lead: [{ lead_email }, {}],
  'lead, active': [{ lead_email, only_active }, {}],
  'lead, active, another': [{ lead_email, only_active }, { if_lead_had_one: 'create' }],
} as const satisfies Readonly<Record<string, readonly [finds: object, creates: object]>>;

type Form = keyof typeof forms;

/**
 * What two runs of the step return for each state of the coupon, the same in the editor and live:
 *
 * - finds: the search found it, so Zapier creates nothing.
 * - creates, returns: the other half made it, or says that it was made before. Another is a second one.
 * - taken, elsewhere: an error, of which the owner is notified (`errors` below).
 * - unclear: it was made, although the response was lost; Created is empty.
 * - lost: an error. Nothing was made, which the app cannot know.
 *
 * Foreign is a coupon of another lead with this code, or one of this lead with a code from elsewhere.
 */
const table = `
                code               code, lead         code, active       lead               lead, active       lead, active, another
nothing         creates, finds     creates, finds     creates, finds     creates, finds     creates, finds     creates, finds
active          finds active       finds active       finds active       finds active       finds active       finds active
foreign         finds active       taken              finds active       elsewhere          elsewhere          elsewhere
redeemed        finds redeemed     finds redeemed     returns redeemed   finds redeemed     returns redeemed   another, finds
expired         finds expired      finds expired      taken              finds expired      returns expired    another, finds
revoked         finds revoked      finds revoked      taken              finds revoked      returns revoked    another, finds
other terms     finds active       finds active       finds active       finds active       finds active       finds active
no status       finds it           finds it           returns it         finds it           returns it         returns it
response lost   unclear, finds     unclear, finds     unclear, finds     unclear, finds     unclear, finds     unclear, finds
request lost    lost, creates      lost, creates      lost, creates      lost, creates      lost, creates      lost, creates
`;

const errors: Readonly<Record<string, string>> = {
  taken:
    'Create Coupon created nothing: the code WELCOME exists. The service says: "code WELCOME is already taken. Choose another." Choose another code: the coupon that has it is over, or of another lead or discount.',
  elsewhere:
    'Create Coupon created nothing: lead@example.com has an active coupon that was not made with this prefix and key. The service says: "lead_email lead@example.com already has an active coupon from this access. Revoke it first, or wait until it is redeemed or expires." Revoke it by its code first. It was made elsewhere, with another Code Prefix, or before the Coupon Key or, without one, the secret changed.',
  'lost code':
    'Create Coupon got no clear response, so the coupon WELCOME may exist. Retrying with the same code is safe: it cannot be created twice. Cause: The connection to 127.0.0.1 broke before the response was complete (ECONNRESET).',
  'lost lead':
    'Create Coupon got no clear response, so the coupon may exist. Retrying is safe: it finds the coupon by its lead, or creates it. Cause: The connection to 127.0.0.1 broke before the response was complete (ECONNRESET).',
};

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ {2,}/));

/** Of this lead, with the key of the sandbox: the first code and the second one. */
const [first, second] = ['KD5YB8ZRQL', 'J85KG5E59J'];

const day = 24 * 60 * 60 * 1000;

/** Makes the coupon that exists before the step runs, and ends it. */
async function prepare({ sandbox }: Service, zapier: ZapierRunner, state: string, form: Form) {
  if (state === 'nothing' || state.endsWith('lost')) return;
  const ofLead = form.startsWith('lead') ? { lead_email } : { lead_email, code: 'WELCOME' };
  const ofOther = form.startsWith('lead')
    ? { code: 'BY-HAND' }
    : { lead_email: 'other@example.com' };
  const { code } = await zapier.create('create_coupon', {
    ...terms,
    ...ofLead,
    ...(state === 'foreign' && ofOther),
    ...(state === 'other terms' && { discount_value: 5 }),
    ...(state === 'expired' && { valid_until: '2027-03-02' }),
  });
  if (state === 'redeemed') await sandbox.coupons.redeem(String(code));
  if (state === 'expired') await sandbox.clock.advance(3 * day);
  if (state === 'revoked') await zapier.create('revoke_coupon', { code });
}

const verbs: Readonly<Record<string, string>> = {
  true: 'creates',
  false: 'returns',
  null: 'unclear',
};

/** Zapier runs the search, and the other half if that returns no record. */
async function findOrCreate(zapier: ZapierRunner, form: Form, meta: object): Promise<string> {
  const { search = '', create = '' } = publicApp.searchOrCreates?.find_coupon ?? {};
  const [finds, creates] = forms[form];
  const code = form.startsWith('lead') ? first : 'WELCOME';
  try {
    const [found] = await zapier.search(search, finds, { ...meta });
    if (found) return `finds ${found.status ?? 'it'}`;
    const bundle = { inputData: { ...terms, lead_email, ...creates }, meta };
    const made = (await zapier.run(`creates.${create}.operation.perform`, bundle)) as Record<
      string,
      unknown
    >;
    if (made.code === second) return 'another';
    expect(made.code).toBe(code);
    return `${verbs[String(made.created)]} ${made.status ?? 'it'}`;
  } catch (error) {
    const { name, message } = readZapierError(error);
    expect(name).toBe('AppError');
    return message.replace(/(127\.0\.0\.1):\d+/, '$1');
  }
}

// Reads are retried after a random wait.
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

/** What a word of the table stands for: the state is active where it says none. */
function meant(word: string, form: Form): string {
  const ofForm = word === 'lost' ? `lost ${form.slice(0, 4)}` : word;
  const isShort = ['creates', 'finds', 'unclear'].includes(word);
  return errors[ofForm] ?? (isShort ? `${word} active` : word);
}

describe.each(rows)('Find or Create Coupon, %s', (state = '', ...cells) => {
  const cases = head.map((form, nth) => [form, cells[nth] ?? ''] as [Form, string]);

  it.each(cases)('by %s: %s', async (form, cell) => {
    const words = cell.split(', ');
    const expected = [words[0], words[1] ?? words[0]].map((word) => meant(String(word), form));
    for (const meta of [{ isLoadingSample: true }, {}]) {
      const couponState = state === 'no status' ? 'absent' : 'status';
      const options = { startAt: '2027-03-01T09:00:00Z', variants: { couponState } } as const;
      await withService({ clock: 'frozen', ...options }, async (service) => {
        const zapier = await service.connect();
        await prepare(service, zapier, String(state), form);
        const when = state === 'request lost' ? 'before' : 'after';
        const lost = { fault: 'reset', path: '/coupons', when } as const;
        if (state.endsWith('lost')) service.sandbox.faults.add(lost);
        const runs = [await findOrCreate(zapier, form, meta)];
        service.sandbox.faults.clear();
        runs.push(await findOrCreate(zapier, form, meta));
        expect(runs).toEqual(expected);
      });
    }
  });
});
