import { createHmac, timingSafeEqual } from 'node:crypto';
import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import { verifySignature, verifyWebhook } from '@screen-advertising/core';
import bolt from '@slack/bolt';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import type { Delivery } from './delivery.ts';

export const limit = 'bare HMAC';
export const ours = 'verifySignature';
export const limitWithParse = 'bare HMAC and JSON.parse';
export const oursWithParse = 'verifyWebhook';

type Verifiers = Record<string, () => unknown>;

/** They say whether the signature fits. */
export function verifiersOf(delivery: Delivery): Verifiers {
  const { body, secret, headers } = delivery;
  const secrets = [secret];
  const { signature: stripe } = Stripe.webhooks;
  if (!stripe) throw new Error('This version of stripe has no signature helper.');
  return {
    [limit]: () => checkBare(delivery),
    [ours]: () => verifySignature({ body, signature: headers.ours, secrets }),
    'stripe verifyHeader': () => stripe.verifyHeader(body, headers.stripe, secret),
    octokit: () => verifyOctokit(secret, body.toString(), headers.octokit),
    bolt: () => verifyBolt(delivery),
  };
}

/** They also read the body. */
export function readersOf(delivery: Delivery): Verifiers {
  const { body, secret, headers } = delivery;
  const secrets = [secret];
  const standard = new StandardWebhook(secret);
  const svix = new SvixWebhook(secret);
  return {
    [limitWithParse]: () => {
      checkBare(delivery);
      return JSON.parse(body.toString());
    },
    [oursWithParse]: () => verifyWebhook({ body, signature: headers.ours, secrets }),
    'stripe constructEvent': () => Stripe.webhooks.constructEvent(body, headers.stripe, secret),
    standardwebhooks: () => standard.verify(body, headers.standard),
    svix: () => svix.verify(body, headers.svix),
  };
}

/** As little as a check can be: no header is read, no time compared. */
function checkBare({ body, secret, timestamp, digest }: Delivery): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return timingSafeEqual(expected, digest);
}

function verifyBolt({ body, secret, timestamp, headers }: Delivery): void {
  bolt.verifySlackRequest({
    signingSecret: secret,
    body: body.toString(),
    headers: { 'x-slack-signature': headers.bolt, 'x-slack-request-timestamp': timestamp },
  });
}
