import { describe, expect, it } from '@jest/globals';
import { environment, typed } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';

/** What a command prints, and how it ends. */
async function opened() {
  const service = await start();
  const env = environment(service.baseUrl, service.full);
  return { ...service, type: (...args: string[]) => typed(['call', ...args], env) };
}

const lead = ['--discount_type=percent', '--discount_value=5', '--lead_email=a@example.com'];

describe('a user at a terminal', () => {
  it('asks whether a user came through us: reads yes or no, also without an attribution', async () => {
    const { type, sandbox } = await opened();
    const user = { user_id: 'u1', registered_at: '2027-03-01T09:30:00Z' };
    const body = JSON.stringify({ data: { ...user, attribution: {} } });
    sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 200, body, times: 1 });
    const fields = ['--fields=exists,referred_by_you', '--csv'];
    const { output } = await type('user.lookup', '--email=a@example.com', ...fields);
    expect(output).toBe('exists,referred_by_you\ntrue,true\n');
    const other = await type('user.lookup', '--email=no@example.com', ...fields);
    expect(other.output).toBe('exists,referred_by_you\nfalse,false\n');
  });

  it('types --discount_value 0x10: is refused, and no coupon of 16 percent is created', async () => {
    const { type, sandbox } = await opened();
    const { code, errors } = await type('coupon.create', ...lead, '--discount_value=0x10');
    expect(code).toBe(2);
    expect(errors).toContain('discount_value must be a plain number such as 25');
    expect(sandbox.journal.list()).toEqual([]);
  });

  it('sends a value that the service refuses: reads which field, and ends with 6', async () => {
    const { type, sandbox } = await opened();
    const errors = [{ field: 'lead_email', message: 'is blocked' }];
    const problem = { type: 'about:blank', title: 'Invalid', status: 422, errors };
    sandbox.faults.add({
      path: '/coupons',
      fault: 'status',
      status: 422,
      body: JSON.stringify(problem),
      contentType: 'application/problem+json',
    });
    const ended = await type('coupon.create', ...lead);
    expect(ended.code).toBe(6);
    expect(ended.errors).toContain(
      'It adds: {"errors":[{"field":"lead_email","message":"is blocked"}]}.',
    );
  });

  it('pipes a table of screens into a script: its IDs are whole', async () => {
    const { sandbox, baseUrl, full } = await start({ screens: 0 });
    const id = 'b4a8a7a0-0000-4000-8000-000000000001';
    sandbox.screens.add({ id, name: 'Hauptbahnhof' });
    const { output } = await typed(['call', 'screen.list', '--table'], environment(baseUrl, full));
    expect(output).toContain(id);
  });

  it('runs the same line again: gets the coupon of the lead, and exits with 0', async () => {
    const { baseUrl, full } = await start();
    const fields = ['--discount_type=percent', '--discount_value=5', '--lead_email=a@example.com'];
    const line = ['call', 'coupon.create', ...fields];
    const runs = [];
    for (let run = 0; run < 2; run += 1) runs.push(await typed(line, environment(baseUrl, full)));
    const [first, again] = runs.map(({ output }) => JSON.parse(output));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(again).toMatchObject({ code: first.code, created: false });
  });
});
