import { describe, expect, it } from '@jest/globals';
import { sampled } from '../../support/tier.ts';
import {
  changes,
  createCoupon,
  createLandingLink,
  findUser,
  lists,
  lookups,
  reads,
  revokeCoupon,
} from '../app/actions.ts';
import { said, status } from '../app/fault.ts';
import { useActions } from '../app/use-actions.ts';

const { struck } = useActions();

describe.each(sampled([...reads, ...changes], 1))('$name', (action) => {
  it('asks to connect again when the credentials are refused', async () => {
    expect(await struck(status(401), action)).toEqual({
      name: 'ExpiredAuthError',
      message: `${action.label} failed because the service did not accept the credentials (401). Check that the credentials are complete, belong to the base URL, and have not been revoked. Then connect again.`,
    });
  });

  it('names the missing scope', async () => {
    expect(await struck(status(403), action)).toMatchObject({
      name: 'AppError',
      status: 403,
      message: `${action.label} needs the scope ${action.scope}, which this access does not have (403). ${said} Ask the Screen Advertising team to grant it.`,
    });
  });

  it('halts on a conflict', async () => {
    const todo =
      action === createCoupon
        ? 'Use another Code, or revoke the active coupon of the lead first.'
        : 'Check the values of this step.';
    expect(await struck(status(409), action)).toEqual({
      name: 'HaltedError',
      message: `${action.label} failed because of a conflict (409). ${said} ${todo}`,
    });
  });

  it('follows no redirect', async () => {
    const fault = status(302, { location: 'https://elsewhere.example/' });
    expect(await struck(fault, action)).toMatchObject({
      message: expect.stringContaining(
        'failed: redirects are not followed, to protect credentials (302 to https://elsewhere.example). Check the base URL.',
      ),
    });
  });
});

describe.each(sampled([...reads, createCoupon, createLandingLink], 2))('$name', (action) => {
  it.each([400, 422])('quotes the service on %i', async (code) => {
    expect(await struck(status(code), action)).toMatchObject({
      name: 'AppError',
      status: code,
      message: `${action.label} was rejected by the service (${code}). ${said} Correct the values of this step.`,
    });
  });
});

describe.each([...lists, findUser, ...changes])('$name', (action) => {
  it('fails on 404, rather than returning no record', async () => {
    const todo = action === revokeCoupon ? 'Check Code.' : 'Check the base URL of the connection.';
    expect(await struck(status(404), action)).toMatchObject({
      name: 'AppError',
      status: 404,
      message: `${action.label} failed: not found (404). ${said} ${todo}`,
    });
  });
});

describe.each(lookups)('$name', (action) => {
  it('returns no record on 404', async () => {
    expect(await struck(status(404), action)).toEqual([]);
  });
});
