import { describe, expect, it } from '@jest/globals';
import { useService } from '../zapier/app/use-service.ts';
import { readZapierError } from '../zapier/app/zapier.ts';

const service = useService();

describe('a user of the editor', () => {
  it('tests Find or Create with a screen that is not there: it can create', async () => {
    const zapier = await service().connect();
    const search = zapier.search('find_screen', { city: 'Berln' }, { isLoadingSample: true });
    expect(await search.catch(readZapierError)).toEqual([]);
  });
});

describe('an owner of Zaps', () => {
  const lead = { discount_type: 'free_days', discount_value: 2, lead_email: 'lead@example.com' };

  it('revokes a coupon while the service refuses everything: the run fails, and its owner is notified', async () => {
    const zapier = await service().connect();
    await zapier.create('create_coupon', { ...lead, code: 'SPRING-25' });
    service().sandbox.faults.add({ path: '/coupons/*/revoke', fault: 'status', status: 423 });
    const error = await zapier
      .create('revoke_coupon', { code: 'SPRING-25' })
      .catch(readZapierError);
    expect(error).toMatchObject({ name: 'AppError', status: 423 });
  });

  it('loses the response to a link: the run fails, and can be replayed', async () => {
    const zapier = await service().connect();
    service().sandbox.faults.add({ path: '/landing-links', fault: 'reset', when: 'after' });
    const link = zapier.create('create_landing_link', { utm_campaign: 'spring' });
    expect(await link.catch(readZapierError)).toMatchObject({
      name: 'AppError',
      code: 'outcome_unknown',
    });
  });

  it('asks whether a user is theirs, whose attribution is empty: yes', async () => {
    const zapier = await service().connect();
    const body = JSON.stringify({ data: { user_id: 'u1', attribution: {} } });
    service().sandbox.faults.add({ path: '/users/lookup', fault: 'status', status: 200, body });
    expect(await zapier.search('find_user', { email: 'lead@example.com' })).toEqual([
      expect.objectContaining({ exists: true, referred_by_you: true }),
    ]);
  });
});
