import { describe, expect, it } from '@jest/globals';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

describe.each(credentialKinds)('Create Landing Link with %s', (kind) => {
  it('sends the fields that a person named, except empty ones', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_landing_link', {
      utm_campaign: ' spring ',
      utm_source: '',
      fields: { utm_term: 'screens', utm_content: '' },
    });
    const { searchParams } = new URL(String(record.url));
    expect(searchParams.get('utm_campaign')).toBe('spring');
    expect(searchParams.get('utm_term')).toBe('screens');
    expect(searchParams.get('utm_medium')).toBe('partner_api');
    expect(searchParams.has('utm_content')).toBe(false);
  });
});

describe('Create Landing Link', () => {
  it.each([
    [
      {},
      'at least one of these must be filled in: UTM Campaign, UTM Source, UTM Content, UTM Term, UTM Source Platform, Other Fields. A field mapped from an earlier step may have been empty',
    ],
    [
      { utm_campaign: 'spring', fields: { utm_campaign: 'summer' } },
      'Other Fields → utm_campaign must be empty, because its own field is filled in',
    ],
    [{ fields: 'spring' }, 'Other Fields must be pairs of a name and a value'],
    [
      { qr_code: 'gif', qr_code_size: 'big', fields: 'spring' },
      'Other Fields must be pairs of a name and a value; QR Code must be one of PNG, SVG, not "gif"; QR Code Size must be a plain number such as 25 or 12.5, without units, spaces, or commas, not "big"',
    ],
  ])('says at once what is wrong with %j, and sends nothing', async (input, words) => {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const error = await zapier.create('create_landing_link', input).catch(readZapierError);
    expect(error).toMatchObject({ message: `Create Landing Link was not sent: ${words}.` });
    expect(service().calls()).toEqual([]);
  });

  it('can be replayed when the response is lost, since a second link does no harm', async () => {
    const zapier = await service().connect();
    service().sandbox.faults.add({ path: '/landing-links', fault: 'reset', when: 'after' });
    const error = await zapier
      .create('create_landing_link', { utm_campaign: 'a' })
      .catch(readZapierError);
    expect(error).toEqual({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(
        /^Create Landing Link got no clear response, so it may have gone through\. Retrying may do it twice\./,
      ),
    });
  });
});
