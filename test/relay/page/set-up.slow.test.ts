import { describe, expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { closeAfterTest } from '../../support/closing.ts';
import { freshDatabase, secretKey, start, subscribe } from '../support/running-relay.ts';
import { adminToken, openPage, Visitor } from './support.ts';

const setUp = '/operator/set-up';
const secret = 'signing-secret-from-the-reply';

/** Title and state of each step. */
async function stepsOf(visitor: Visitor, query = ''): Promise<Record<string, string>> {
  const { html } = await visitor.get(`${setUp}${query}`);
  const steps = html.matchAll(/<h2><span class="badge \w+">([^<]*)<\/span> \d\. ([^<]*)<\/h2>/g);
  return Object.fromEntries([...steps].map(([, state, title]) => [title, state]));
}

describe('the set-up', () => {
  it('begins with the first source', async () => {
    const databaseUrl = await freshDatabase();
    const relay = await createRelay({ databaseUrl, secretKey, adminToken });
    closeAfterTest(() => relay.close());
    const visitor = await new Visitor((await relay.listen()).url).signIn();
    expect(await stepsOf(visitor)).toEqual({ 'Name the source': 'to do' });
    expect(await visitor.submit('add-source', { name: 'My Access' })).toBe(
      'The name of a source must have up to 63 lowercase letters, digits, and hyphens, such as "main", not "My Access".',
    );
    await visitor.submit('add-source', { name: 'main', from: setUp });
    expect(await stepsOf(visitor)).toEqual({
      'Name the source': 'done',
      'Have its address registered': 'to do',
      'Paste the signing secret': 'to do',
      'Create a connector key': 'to do',
      'Connect n8n or Zapier': 'to do',
      'See the first event': 'to do',
    });
  });

  it('ticks each step when it is done, in any order, and returns to its page', async () => {
    const opened = await openPage();
    const { visitor, relay, deliver } = opened;
    await relay.sources.add('shop');
    await relay.sources.add('without-secret');
    const event = { id: 'one', type: 'campaign.paid', data: {} };
    expect(await deliver(event, { source: 'without-secret', secret })).toMatchObject({
      status: 401,
    });
    const key = await visitor.post('/operator/actions/create-token', {
      source: 'shop',
      name: 'n8n',
      from: setUp,
    });
    expect(key.html).toContain(`<a href="${setUp}">Back</a>`);
    expect(await stepsOf(visitor)).toMatchObject({
      'Paste the signing secret': 'to do',
      'Create a connector key': 'done',
    });
    await visitor.submit('rotate-source', { name: 'shop', secret, from: setUp });
    expect(await stepsOf(visitor, '?source=shop')).toMatchObject({
      'Have its address registered': 'to do',
      'Paste the signing secret': 'done',
      'See the first event': 'to do',
    });
    const ofFirst = 'that of the token <i>first</i>';
    expect((await visitor.get(`${setUp}?source=shop`)).html).not.toContain(ofFirst);
    await visitor.submit('create-token', { source: 'without-secret', name: 'first' });
    expect((await visitor.get(`${setUp}?source=without-secret`)).html).toContain(ofFirst);
    const [, token = ''] =
      key.html.match(/data-copy="(rly_[^"]+)" aria-label="Copy the token"/) ?? [];
    const receiver = await startReceiver([200]);
    await subscribe(opened, receiver.url, { events: ['*'], name: 'Invoices', token });
    await relay.clock.advance(1_000);
    expect(await deliver(event, { source: 'shop', secret })).toMatchObject({ status: 202 });
    const { html } = await visitor.get(`${setUp}?source=shop`);
    expect(html).toMatch(/Invoices<\/a>/);
    expect(html).toMatch(/campaign\.paid<\/a> is the latest\. It arrived at/);
    expect(html).not.toContain('>to do<');
  });

  it('says that a delivery arrived and was refused, and whose secret fits', async () => {
    const { visitor, relay, deliver } = await openPage();
    await relay.sources.add('shop', secret);
    const refusal = async () => {
      const { html } = await visitor.get(`${setUp}?source=shop`);
      const [, text] =
        /class="notice refused">(.*?) <a href="\/operator\/sources#refused"/.exec(html) ?? [];
      return text?.replaceAll(/<[^>]*>/g, '');
    };
    expect(await refusal()).toBeUndefined();
    const event = { id: 'one', type: 'campaign.paid', data: {} };
    await deliver(event, { source: 'shop', secret: 'signing-secret-of-nobody' });
    const start = 'A delivery arrived at 2027-03-01 09:00:00 and was refused.';
    expect(await refusal()).toBe(`${start} The secret does not fit.`);
    await relay.clock.advance(500);
    await deliver(event, { source: 'shop' });
    expect(await refusal()).toBe(`${start} The secret does not fit; that of the source main does.`);
    expect((await visitor.get('/operator/sources')).html).toContain('that of main does');
    await deliver(event, { source: 'shop', secret });
    expect(await refusal()).toBeUndefined();
    expect(await stepsOf(visitor, '?source=shop')).toMatchObject({
      'Have its address registered': 'done',
    });
  });

  it('sends a test, and says why it did not arrive', async () => {
    const opened = await openPage();
    const receiver = await startReceiver([200, 500]);
    const subscription = await subscribe(opened, receiver.url);
    const test = (fields: object) =>
      opened.visitor.submit('subscriptions.test', { subscription, from: setUp, ...fields });
    expect(await test({})).toBe('The subscriber accepted the test.');
    expect(await test({})).toBe('The subscriber refused the test: responded with status 500.');
    const closed = await subscribe(opened, 'http://127.0.0.1:9/');
    expect(await test({ subscription: closed })).toMatch(/^The test did not arrive: .+\.$/);
  });

  it('names the subscriptions that are off when none is on', async () => {
    const opened = await openPage();
    const { visitor, relay, tokenName } = opened;
    await subscribe(opened, 'http://127.0.0.1:9/', { name: 'Invoices' });
    await relay.tokens.revoke('main', tokenName);
    const { html } = await visitor.get(setUp);
    expect(html).toContain('No subscription is on. Open one to see how to continue:');
    expect(html).toMatch(
      /Invoices<\/a>\n<span class="badge bad">off<\/span> Its token was revoked/,
    );
    expect(html).not.toMatch(/Waiting for the first subscription|Send a test/);
    expect(await stepsOf(visitor)).toMatchObject({ 'Connect n8n or Zapier': 'to do' });
  });

  it('is where a sign-in leads, until something subscribed or arrived', async () => {
    const { relay, url, deliver } = await start();
    const locationOfSignIn = async () => {
      const link = new URL(await relay.signInLink(url)).searchParams.get('link') ?? '';
      return (await new Visitor(url).post('/operator/sign-in', { link })).headers.location;
    };
    expect(await locationOfSignIn()).toBe(setUp);
    await deliver({ id: 'one', type: 'campaign.paid', data: {} });
    expect(await locationOfSignIn()).toBe('/');
  });
});
