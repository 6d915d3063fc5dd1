/** Events in which a relay reports its own problems. It delivers them like any event. */
const relayProblems = [
  'relay.subscription_failing',
  'relay.subscription_off',
  'relay.delivery_dead',
] as const;

/** The `type` of an event in which a relay reports a problem. */
export type RelayProblemName = (typeof relayProblems)[number];

/**
 * The problems of a relay as one kind of event: a person who wants one wants all.
 * Not part of the service's specification.
 */
export const relayProblem = {
  name: 'relay.problem',
  title: 'Relay Problem',
  description:
    'Triggers when events do not arrive: a subscription at your relay fails or is switched off, or a delivery failed for good.',
  /** The `type` of such an event, and what to subscribe to. */
  types: relayProblems,
  sample: {
    message:
      '"Coupons to CRM" (hooks.example.com) has not accepted an event since 2027-03-02 14:05 UTC: responded with status 500. The relay retries, and switches the subscription off after five days.',
    problem: 'subscription_failing',
    subscription_id: 'sub_0195501ae61072f2a0f9b9b0c1d2e3f4',
    subscription_name: 'Coupons to CRM',
    target_host: 'hooks.example.com',
    reason: 'responded with status 500',
    since: '2027-03-02T14:05:00.000Z',
  },
} as const;

/** Whether the event is one of a relay's own. */
export function isRelayProblem(type: string): type is RelayProblemName {
  return relayProblems.some((name) => name === type);
}

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
