import { signWebhook } from '@screen-advertising/core';
import { definitionOf } from '../app/definition.ts';
import { createZapierRunner } from '../app/runner.ts';
import { type PlacedPart, visiblePartsOf } from '../definition-lint/definition.ts';
import { type OneRecordService, startOneRecordService } from './one-record-service.ts';

export type Fields = Readonly<Record<string, unknown>>;

const period = { from: '2027-03-01', to: '2027-03-01' };

/** What each step needs to run. */
export const needed: Readonly<Record<string, Fields>> = {
  'creates.create_coupon': {
    discount_type: 'percent',
    discount_value: 5,
    lead_email: 'x@example.com',
  },
  'creates.revoke_coupon': { code: 'X' },
  'creates.create_landing_link': { utm_term: 'x' },
  'searches.find_screen': { country: 'AT' },
  'searches.find_coupon': { code: 'X' },
  'searches.find_user': { email: 'x@example.com' },
  'searches.find_campaign_request': { status: 'converted' },
  'searches.find_available_screens': period,
  'searches.get_screen_availability': { screenId: 'X', ...period },
  'triggers.screen_availability_changed': { change: 'either', share_pct: 10, ...period },
};

const secret = 'whsec_of_this_test';

/** Zapier's core with the app, before a service that always shows one record. */
export async function openWorld() {
  const service = await startOneRecordService();
  const zapier = createZapierRunner({
    baseUrl: service.baseUrl,
    credentials: { apiKey: 'svc_abc' },
    fields: { signing_secret: secret },
  });
  const definition = await definitionOf('private');

  /** The records of a step; of a polling trigger, what the editor shows. */
  async function run(part: PlacedPart, inputData: Fields, meta: Fields = {}): Promise<Fields[]> {
    const bundle = { inputData, meta: { ...meta, isLoadingSample: part.kind === 'triggers' } };
    const found = await zapier.run(`${part.place}.operation.perform`, bundle);
    const results = (found as { results?: Fields[] }).results ?? found;
    return Array.isArray(results) ? results : [results as Fields];
  }

  /** The run that an event with this data starts. */
  async function receive({ key, operation }: PlacedPart, data: Fields): Promise<Fields[]> {
    const content = JSON.stringify({ id: 'evt_1', type: operation.sample?.type, data });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signWebhook({ body: content, secret, timestamp });
    return zapier.hook(key, { headers: { 'X-Service-Signature': signature }, content });
  }

  return {
    service: service as OneRecordService,
    /** Each trigger of an event once: it passes on the same record, however it gets the event. */
    parts: visiblePartsOf(definition).filter(
      ({ operation, key }) => operation.type !== 'hook' || key.endsWith('_manual_setup'),
    ),
    run,
    /** The record that a step outputs when the service shows `record`. */
    async output(part: PlacedPart, record: Fields): Promise<Fields> {
      service.show(record);
      const isHook = part.operation.type === 'hook';
      const hasPlace = part.operation.chosenFields?.some(({ key }) => key === 'near');
      const input = { ...needed[part.place], ...(hasPlace && { near: '0, 0' }) };
      const [found = {}] = isHook ? await receive(part, record) : await run(part, input);
      return found;
    },
  };
}
