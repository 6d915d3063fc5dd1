import { describe, expect, it } from '@jest/globals';
import {
  changes,
  createCoupon,
  createLandingLink,
  findUser,
  lists,
  lookups,
  reads,
} from '../app/actions.ts';
import { said, status } from '../app/fault.ts';
import { useActions } from '../app/use-actions.ts';

const { struck } = useActions();

describe.each([...reads, ...changes])('$name', (action) => {
  it('asks to connect again when the credentials are refused', async () => {
    expect(await struck(status(401), action)).toEqual({
      name: 'ExpiredAuthError',
      message: `${action.title} was refused because the credentials were not accepted (status 401). Check that they were copied whole, belong to this base URL and were not withdrawn. Then connect again.`,
    });
  });

  it('names the scope that is missing', async () => {
    expect(await struck(status(403), action)).toMatchObject({
      name: 'AppError',
      status: 403,
      message: `${action.title} was refused because the access lacks the scope ${action.scope} (status 403). ${said} Ask the administration of the service to grant it.`,
    });
  });

  it('halts on a conflict', async () => {
    expect(await struck(status(409), action)).toEqual({
      name: 'HaltedError',
      message: `${action.title} was refused because of a conflict (status 409). ${said}`,
    });
  });

  it('follows no redirect', async () => {
    const fault = status(302, { location: 'https://elsewhere.example/' });
    expect(await struck(fault, action)).toMatchObject({
      message: expect.stringContaining(
        'was answered with a redirect (status 302 to https://elsewhere.example), which is not followed because it would carry your credentials along. Check the base URL.',
      ),
    });
  });
});

describe.each([...reads, createCoupon, createLandingLink])('$name', (action) => {
  it.each([400, 422])('gives the words of the service on %i', async (code) => {
    expect(await struck(status(code), action)).toMatchObject({
      name: 'AppError',
      status: code,
      message: `${action.title} was refused (status ${code}). ${said} Check the fields that were sent.`,
    });
  });
});

describe.each([...lists, findUser, ...changes])('$name', (action) => {
  it('fails on 404, which is no answer of the service to it', async () => {
    expect(await struck(status(404), action)).toMatchObject({
      name: 'AppError',
      status: 404,
      message: `${action.title} found nothing (status 404). ${said}`,
    });
  });
});

describe.each(lookups)('$name', (action) => {
  it('finds nothing on 404', async () => {
    expect(await struck(status(404), action)).toEqual([]);
  });
});
