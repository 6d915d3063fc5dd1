import { describe, expect, it } from '@jest/globals';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

describe.each(credentialKinds)('Create Landing Link with %s', (kind) => {
  it('sends the fields that a person named, except empty ones', async () => {
    const zapier = await service().connect({ kind });
    const record = await zapier.create('create_landing_link', {
      fields: { utm_campaign: 'spring', utm_content: '' },
    });
    const { searchParams } = new URL(String(record.url));
    expect(searchParams.get('utm_campaign')).toBe('spring');
    expect(searchParams.get('utm_medium')).toBe('partner_api');
    expect(searchParams.has('utm_content')).toBe(false);
  });
});

describe('Create Landing Link', () => {
  it('needs no field', async () => {
    const zapier = await service().connect();
    expect(await zapier.create('create_landing_link', {})).toMatchObject({
      url: expect.stringContaining('utm_medium=partner_api'),
    });
  });

  it('can be replayed when the response is lost, since a second link does no harm', async () => {
    const zapier = await service().connect();
    service().sandbox.faults.add({ path: '/landing-links', fault: 'reset', when: 'after' });
    const error = await zapier.create('create_landing_link', {}).catch(readZapierError);
    expect(error).toEqual({
      name: 'AppError',
      code: 'outcome_unknown',
      message: expect.stringMatching(
        /^Create Landing Link got no clear response, so it may have gone through\. Retrying may do it twice\./,
      ),
    });
  });
});
