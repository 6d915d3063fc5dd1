/**
 * The `type` of a signed request in which the relay asks a target for its address. The response is
 * `{ target_url }`: the address at which that receiver expects its deliveries.
 */
export const probeType = 'relay.probe';

const testPrefix = 'test_';

/** The `webhook-id` of a test. The mark is in the ID because the signature covers it. */
export function testWebhookId(event: string): string {
  return testPrefix + event;
}

/** Reads a verified `webhook-id` of the relay: the event's ID, and whether it is a test. */
export function readWebhookId(id: string): { readonly id: string; readonly isTest: boolean } {
  const isTest = id.startsWith(testPrefix);
  return { id: isTest ? id.slice(testPrefix.length) : id, isTest };
}
