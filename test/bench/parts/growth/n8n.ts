import { Engine } from '../../../n8n/engine/engine.ts';
import type { Subjects } from './subject.ts';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Every operation of the node, in an order in which each finds what it needs. */
export const n8nSubjects: Subjects = async ({ baseUrl, apiKey, screenId, campaignRequestId }) => {
  const engine = await Engine.start({ screenAdvertisingApi: { baseUrl, apiKey } });
  const email = '={{ $json.email }}';
  const code = '={{ $json.code }}';
  const dates = { from: '2027-03-01', to: '2027-03-31' };
  const coupon = { discount_type: 'free_days', discount_value: 2, lead_email: email };
  const link = { field: [{ name: 'utm_campaign', value: 'spring' }] };
  const operations = [
    ['user', 'lookUp', { email }],
    ['screen', 'get', { screenId: byId(screenId) }],
    ['screen', 'getAvailability', { screenId: byId(screenId), ...dates }],
    ['screen', 'getAll', { limit: 20 }],
    ['campaignRequest', 'get', { id: byId(campaignRequestId) }],
    ['campaignRequest', 'getAll', { limit: 20 }],
    ['landingLink', 'create', { fields: link }],
    ['coupon', 'create', { ...coupon, additionalFields: { code } }],
    ['coupon', 'get', { code }],
    ['coupon', 'revoke', { code }],
  ] as const;
  return operations.map(([resource, operation, fields]) => ({
    name: `n8n, ${resource}: ${operation}`,
    async run(items) {
      const parameters = { authentication: 'apiKey', resource, operation, ...fields };
      const node = { type: 'screenAdvertising', parameters };
      const result = await engine.runNode(node, { items: items.map((item) => ({ ...item })) });
      if (result.error) throw result.error;
      return result;
    },
  }));
};
