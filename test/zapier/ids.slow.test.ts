import { beforeEach, describe, expect, it } from '@jest/globals';
import { idKinds, period, requests, screens } from '../shared/support/identified-records.ts';
import { useScripted } from '../shared/support/scripted-service.ts';
import { switchOnZap } from './app/polled-zap.ts';
import { createZapierRunner, type ZapierRunner } from './app/zapier.ts';

const service = useScripted();
let zapier: ZapierRunner;
beforeEach(() => {
  const credentials = { apiKey: 'svc_ids_0123456789abcdef' };
  const event = { zcacheTestObj: {} };
  zapier = createZapierRunner({ baseUrl: service.baseUrl, credentials, event });
});

const share = { ...period, change: 'either', share_pct: 10 };

describe.each(idKinds)('IDs that are %s', (_kind, one, two) => {
  const ids = [one, two];
  const watch = (key: string, primary: string, inputData = {}) =>
    switchOnZap(zapier, { key, primary: [primary], inputData });

  it('Campaign Request Status Changed runs once for each change', async () => {
    requests(service, ids, 'rejected', null);
    const zap = await watch('campaign_request_status_changed', 'change_id');
    expect(await zap.poll()).toEqual([]);
    expect(await zap.poll()).toEqual([]);
    requests(service, ids, 'rejected', 'converted');
    expect(await zap.poll()).toMatchObject([{ id: two, previous_status: null }]);
    expect(await zap.poll()).toEqual([]);
  });

  it('Screen Availability Changed runs once for each crossing', async () => {
    screens(service, ids, 5, 5);
    const zap = await watch('screen_availability_changed', 'id', share);
    expect(await zap.poll()).toEqual([]);
    screens(service, ids, 5, 25);
    expect(await zap.poll()).toMatchObject([{ screen_id: two, change: 'rises_above' }]);
    expect(await zap.poll()).toEqual([]);
  });

  it('a later step finds the record of an ID from an earlier one', async () => {
    screens(service, ids, 50, 50);
    requests(service, ids, 'rejected', 'rejected');
    service.on(`GET /coupons/${one}`, { body: { code: one } });
    service.on(`POST /coupons/${one}/revoke`, { body: { code: one } });
    for (const screen_id of [one, String(one)]) {
      expect(await zapier.search('find_screen', { screen_id })).toMatchObject([{ id: one }]);
      const input = { screen_id, ...period };
      const availability = { screen_id: one, available_sov_pct: 50 };
      expect(await zapier.search('find_screen_availability', input)).toMatchObject([availability]);
      const byId = await zapier.search('find_campaign_request', { id: screen_id });
      expect(byId).toMatchObject([{ id: one }]);
      expect(await zapier.search('find_coupon', { code: screen_id })).toMatchObject([
        { code: one },
      ]);
      expect(await zapier.create('revoke_coupon', { code: screen_id })).toMatchObject({
        code: one,
      });
    }
  });
});
