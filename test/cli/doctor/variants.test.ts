import { describe, expect, it } from '@jest/globals';
import type { AssumptionName, AssumptionVariants } from '@screen-advertising/core/contract';
import { start } from '../../sandbox/support/running-sandbox.ts';
import { assumedVariants } from '../../support/assumed-variants.ts';
import { environment, typed } from '../command.ts';
import { clientCredentials, doctor, questions, rowsOf } from './support.ts';

const known = 'lead@example.com';
const code = 'Doctor-1';

/** Shift by shift, the variants meet in other combinations. */
const mixtures = Array.from({ length: 10 }, (_, shift) => {
  const names = Object.keys(assumedVariants) as AssumptionName[];
  const chosen = names.map((name, index) => {
    const accepted = assumedVariants[name];
    return [name, accepted[(shift + index * Math.floor(shift / 3)) % accepted.length]] as const;
  });
  return {
    shift,
    write: shift % 2 === 1,
    variants: Object.fromEntries(chosen) as AssumptionVariants,
  };
});

describe('doctor finds out which variant a sandbox plays', () => {
  it.each(mixtures)('mixture $shift, with --write: $write', async ({ write, variants }) => {
    const { sandbox, baseUrl, full } = await start({ variants });
    const env = clientCredentials(baseUrl, full.clientId, full.clientSecret);
    const args = ['--email', known, ...(write ? ['--write', '--code', code] : [])];
    const { code: exitCode, output, errors, printed } = await doctor(env, ...args);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const states = Object.fromEntries(printed.checks.map(({ id, state }) => [id, state]));
    for (const id of questions(write)) {
      const isAssumed = variants[id] === assumedVariants[id][0];
      const isHidden = id === 'unknownCoupon' && variants[id] === '403';
      const state = isHidden ? /^not_seen$/ : expected(id, isAssumed);
      expect([id, states[id]]).toEqual([id, expect.stringMatching(state)]);
    }
    const requests = sandbox.journal.list();
    expect(requests.length).toBeLessThanOrEqual(40);
    const changes = requests.filter(({ method, path }) => method !== 'GET' && !/token/.test(path));
    expect(changes.map(({ method, operation }) => `${method} ${operation}`)).toEqual(
      write ? ['POST coupon.create', 'POST coupon.revoke', 'POST landingLink.create'] : [],
    );
    for (const private_ of [full.clientId, full.clientSecret, known, code, 'usr_', 'sat_']) {
      expect(output).not.toContain(private_);
    }
  });

  /** No run without a failing access can see these. */
  function expected(id: AssumptionName, isAssumed: boolean): RegExp {
    if (id === 'missingScope' || id === 'retryAfter' || id === 'openRequest') return /^not_seen$/;
    return isAssumed ? /^as_assumed$/ : /^accepted$/;
  }
});

describe('when the service misbehaves, doctor', () => {
  it('stops at the rate limit', async () => {
    const { baseUrl, full, sandbox } = await start({ rateLimit: { requests: 8 } });
    const { code, by } = await doctor(environment(baseUrl, full));
    expect(code).toBe(0);
    expect(by('as_assumed')).toContainEqual(
      expect.objectContaining({ id: 'retryAfter', found: 'Seconds, and the same' }),
    );
    expect(by('not_seen')).toContainEqual(
      expect.objectContaining({
        id: 'smallestPage',
        found: 'Rate limit reached (429): run doctor again in a minute',
      }),
    );
    expect(sandbox.journal.list().filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('reports a lost response, and continues', async () => {
    const { baseUrl, full, sandbox } = await start();
    sandbox.faults.add({ path: '/campaign-requests', fault: 'reset' });
    const { code, by } = await doctor(environment(baseUrl, full));
    expect(code).toBe(0);
    expect(by('not_seen')).toContainEqual(
      expect.objectContaining({
        id: 'campaignRequestList',
        found: expect.stringMatching(
          / broke before the response was complete \(ECONNRESET\)\. Retry$/,
        ),
      }),
    );
    expect(by('as_assumed').map(({ id }) => id)).toContain('smallestPage');
  });

  it('says that its coupon may be active if revoking fails', async () => {
    const { baseUrl, full, sandbox } = await start();
    sandbox.faults.add({ method: 'POST', path: `/coupons/${code}/revoke`, fault: 'reset' });
    const args = ['--write', '--email', known, '--code', code];
    const { code: exitCode, differing } = await doctor(environment(baseUrl, full), ...args);
    expect(exitCode).toBe(9);
    expect(differing).toContainEqual(
      expect.objectContaining({
        id: 'revokeAnswer',
        found: 'No response to revoking the coupon',
        action: 'The coupon that you named may be active. Have it revoked.',
      }),
    );
  });

  it('says what to choose if it refuses a code like those of the connectors', async () => {
    const { baseUrl, full, sandbox } = await start();
    const args = ['--write', '--email', known];
    sandbox.faults.add({ method: 'POST', path: '/coupons', fault: 'status', status: 400 });
    const { differing } = await doctor(environment(baseUrl, full), ...args);
    expect(differing).toContainEqual(
      expect.objectContaining({
        id: 'ownCode',
        found: 'A code of 10 characters returns 400',
        action:
          'Creating coupons fails. In Create Coupon, choose Let the Service Choose under Without a Code.',
      }),
    );
    sandbox.faults.clear();
    expect((await doctor(environment(baseUrl, full), ...args)).differing).toEqual([]);
    expect(sandbox.coupons.list()).toMatchObject([
      { code: expect.stringMatching(/^[0-9A-F]{10}$/), revoked_at: expect.any(String) },
    ]);
  });

  it('revokes its coupon even if a read in between fails', async () => {
    const { baseUrl, full, sandbox, read } = await start();
    sandbox.faults.add({ path: `/coupons/${code.toUpperCase()}`, fault: 'reset' });
    await doctor(environment(baseUrl, full), '--write', '--email', known, '--code', code);
    expect(await read(`/coupons/${code}`)).toMatchObject({ status: 'revoked' });
  });
});

describe('the text of doctor', () => {
  it('fits one screen and ends with a paragraph for the team', async () => {
    const { baseUrl, limited } = await start({ variants: { singleRecord: 'data' } });
    const { code, output, errors } = await typed(['doctor'], environment(baseUrl, limited));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const lines = output.trimEnd().split('\n');
    expect(rowsOf(lines)).toBeGreaterThanOrEqual(24);
    expect(rowsOf(lines)).toBeLessThanOrEqual(50);
    expect(output).toMatch(/^http:.*\/api\/v1: \d+ requests, which changed nothing\.\n/);
    expect(output).toContain(
      'accepted    singleRecord: Under "data": screen, availability, campaign request. Clients read both.\n',
    );
    expect(output).toContain('as assumed  missingScope: Without users:read: 403.\n');
    expect(output).toContain('not seen    tokenLifetime, tokenType: API keys need no token.\n');
    expect(output).toMatch(
      /\nFor the Screen Advertising team:\n\nWe checked the partner interface at http\S+\. It works as we expect where we could see it\. .* How does a client choose the scopes of a token\? \(5\)\n$/,
    );
  });

  it('needs an address to write', async () => {
    const { baseUrl, full, sandbox } = await start();
    const args = ['doctor', '--write'];
    const { code, errors } = await typed(args, environment(baseUrl, full));
    expect({ code, errors }).toEqual({
      code: 2,
      errors: 'error: --write needs --email\nRun with --help for usage.\n',
    });
    expect(sandbox.journal.list()).toEqual([]);
  });
});
