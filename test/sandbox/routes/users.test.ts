import { describe, expect, it } from '@jest/globals';
import { problemDetail } from '../support/problem.ts';
import { start } from '../support/running-sandbox.ts';

describe('GET /users/lookup', () => {
  it('responds with { data: { exists: false } } for an unknown user', async () => {
    const { read } = await start();
    expect(await read('/users/lookup?email=nobody@example.com')).toEqual({
      data: { exists: false },
    });
  });

  it('finds by email address and by VAT ID, ignoring case', async () => {
    const { read } = await start();
    const byEmail = await read('/users/lookup?email=LEAD@example.com');
    expect(byEmail).toMatchObject({ data: { exists: true, user_id: 'usr_0001' } });
    expect(await read('/users/lookup?vat_uid=de123456789')).toEqual(byEmail);
  });

  it('shows the attribution to the access that referred the user, and to no other', async () => {
    const { read, second } = await start();
    const mine = await read<{ data: object }>('/users/lookup?email=lead@example.com');
    expect(mine.data).toHaveProperty('attribution');
    const path = '/users/lookup?email=lead@example.com';
    const theirs = await read<{ data: object }>(path, second.apiKey);
    expect(theirs.data).not.toHaveProperty('attribution');
    expect(theirs.data).toHaveProperty('has_bookings');
  });

  it.each(['', '?email=lead@example.com&vat_uid=DE123456789'])(
    'refuses "%s": one of the two must be given',
    async (query) => {
      const { call } = await start();
      expect(problemDetail(await call('GET', `/users/lookup${query}`), 400)).toBe(
        'email or vat_uid must be set, but not both.',
      );
    },
  );
});
