import { expect, it } from '@jest/globals';
import { start } from '../support/running-relay.ts';
import { adminToken, cookieOf, isIn, openLink, Visitor } from './support.ts';

it('a sign-in link works at every process of the database, which stores only hashes', async () => {
  const { relay, url, databaseUrl, query } = await start();
  const other = await start({ databaseUrl });
  const link = await relay.signInLink(url);
  const visitor = new Visitor(other.url);
  await openLink(visitor, link);
  expect(await isIn(visitor)).toBe(true);
  const elsewhere = new Visitor(url);
  elsewhere.cookie = visitor.cookie.replace(/^\w+/, cookieOf(url));
  expect(await isIn(elsewhere)).toBe(true);
  const unused = await relay.signInLink(url);
  const { rows } = await query('SELECT * FROM sign_in_token');
  const text = rows
    .map(({ hash, ...more }) => hash.toString('latin1') + JSON.stringify(more))
    .join();
  expect(rows).toHaveLength(2);
  for (const secret of [visitor.cookie.split('=')[1], new URL(unused).searchParams.get('link')]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret ?? '', 'base64url').toString('latin1'));
  }
});

it('a changed admin token signs every visitor out, and leaves the links', async () => {
  const { relay, url, databaseUrl } = await start({ adminToken });
  const visitor = await new Visitor(url).signIn();
  const link = await relay.signInLink(url);
  const { url: changed } = await start({ databaseUrl, adminToken: adminToken.toUpperCase() });
  const same = new Visitor(changed);
  same.cookie = visitor.cookie;
  expect([await isIn(visitor), await isIn(same)]).toEqual([true, false]);
  await openLink(same, link);
  expect(await isIn(same)).toBe(true);
});
