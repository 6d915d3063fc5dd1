/** Events in which a relay reports its own problems. It delivers them like any event. */
const relayProblems = [
  'relay.subscription_failing',
  'relay.subscription_off',
  'relay.delivery_dead',
] as const;

/** The `type` of an event in which a relay reports a problem. */
export type RelayProblemEventName = (typeof relayProblems)[number];

/**
 * The problems of a relay as one kind of event: a person who wants one wants all.
 * Not part of the service's specification.
 */
export const relayProblemEventKind = {
  name: 'relay.problem',
  title: 'Relay Problem',
  description: 'Triggers when your relay cannot deliver events.',
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
export function isRelayProblemEventName(type: string): type is RelayProblemEventName {
  return relayProblems.some((name) => name === type);
}

const testPrefix = 'test_';

/** The `webhook-id` of a test. The mark is in the ID because the signature covers it. */
export function webhookIdOfTest(event: string): string {
  return testPrefix + event;
}

/**
 * The `webhook-id` of a delivery: the event's ID, and another one for each replay that a person
 * asked for, so that a receiver that drops duplicates runs it again. Retries keep theirs.
 */
export function formatWebhookId(event: string, replay: number): string {
  return replay === 0 ? event : `${event}_r${replay}`;
}

/** What a `webhook-id` of the relay says. */
export interface RelayWebhookId {
  /** ID that the relay gave the event. */
  readonly id: string;
  /** Whether it is a test that a person asked for. */
  readonly isTest: boolean;
  /** 0 for the first delivery, then 1 for the first replay that a person asked for, and so on. */
  readonly replay: number;
}

/** Reads a verified `webhook-id` of the relay. */
export function readWebhookId(webhookId: string): RelayWebhookId {
  const isTest = webhookId.startsWith(testPrefix);
  const rest = isTest ? webhookId.slice(testPrefix.length) : webhookId;
  const [, id = rest, replay = '0'] = /^(.+)_r([1-9]\d*)$/.exec(rest) ?? [];
  return { id, isTest, replay: Number(replay) };
}

/**
 * A target sends this header beside status 2xx when it took a delivery and started nothing. Its
 * value is the reason, and the relay shows the delivery as ignored. Any other value has no effect.
 */
export const ignoredHeaderName = 'x-screen-advertising-ignored';

/** Why a target ignored a delivery. */
export const ignoredReasons = ['duplicate', 'not_wanted', 'sample'] as const;

/** `duplicate`: it had the same `webhook-id` before; `not_wanted`: another kind of event. */
export type IgnoredReason = (typeof ignoredReasons)[number];
