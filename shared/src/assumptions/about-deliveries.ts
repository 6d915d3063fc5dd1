import { defineAssumption } from './assume.ts';

/** Webhook deliveries and their signatures. */
export const deliveryAssumptions = {
  eventName: defineAssumption({
    section: '6',
    question: 'Which member of a delivery names the event?',
    assumed: '"type".',
    why: 'Most services with a t=,v1= signature do so.',
    accepted: ['type', 'event', 'event_type', 'event_name', 'topic'],
    allAccepted: true,
    answeredBy: 'explain-delivery',
    change:
      'Clients read all of them. The name of a known event wins over other values, such as the "type" of a record. A delivery that names two events is rejected.',
  }),
  eventId: defineAssumption({
    section: '6',
    question: 'Does a delivery have an ID that stays the same across retries?',
    assumed: '"id".',
    why: 'Most services with retries have one. A retry is the same delivery, so its ID stays the same.',
    accepted: ['id', 'event_id', 'delivery_id', 'absent'],
    allAccepted: true,
    answeredBy: 'explain-delivery',
    change:
      'Clients read all of them, or recognize duplicates by their body. An "id" next to the fields of the event is the ID of its record.',
  }),
  eventData: defineAssumption({
    section: '6',
    question: 'Where in a delivery are the fields of the event?',
    assumed: 'Under "data".',
    why: 'The lists and the user lookup put their records under "data".',
    accepted: ['data', 'payload', 'flat'],
    allAccepted: true,
    answeredBy: 'explain-delivery',
    change: 'Clients read "data", then "payload", then the whole body.',
  }),
  signatureScheme: defineAssumption({
    section: '6',
    question: 'How is the signature computed?',
    assumed:
      'HMAC-SHA256 over the timestamp, a dot, and the raw body, as hex; the key is the text of the secret.',
    why: 'Other services use a header of this shape this way.',
    accepted: [
      'sha256',
      'sha1',
      'sha384',
      'sha512',
      't.body',
      'tbody',
      'body',
      'body.t',
      'bodyt',
      't:body',
      't-newline-body',
      'v1:t:body',
      'v1.t.body',
      'text',
      'unprefixed',
      'base64',
      'hex',
    ],
    allAccepted: true,
    answeredBy: 'explain-delivery',
    change:
      'Clients accept every combination of an algorithm, a signed content and a key, and say which one fitted. The sandbox signs with several words: `signatureScheme=sha512,body,hex`.',
  }),
  signatureTimestamp: defineAssumption({
    section: '6',
    question: 'Does each retry get a new signature?',
    assumed: 'No: it keeps the timestamp of the first attempt.',
    why: 'This is the harder case: the last retry arrives 756 s after its timestamp, or up to 806 s if each earlier attempt waited 10 s for a response. So the default tolerance is 900 s.',
    accepted: ['first-attempt', 'each-attempt'],
    allAccepted: true,
    answeredBy: 'team',
    change: 'Set the tolerance of the verifier.',
  }),
  failedDelivery: defineAssumption({
    section: '6',
    question: 'What counts as a failed delivery?',
    assumed: 'No connection, no response within 10 s, or a status other than 2xx.',
    why: 'The contract asks receivers to respond with 2xx quickly.',
    accepted: ['not-2xx'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Receivers respond with 2xx at once and work afterwards, so the limit hardly matters.',
  }),
  webhookRegistration: defineAssumption({
    section: '6',
    question:
      'How do you register the webhook address and the secret, and what can a secret look like?',
    assumed:
      'The Screen Advertising team registers them on request. A secret has at least 8 characters and no spaces.',
    why: 'Credentials are issued this way, and the contract shows no endpoint.',
    accepted: ['by-administration'],
    allAccepted: false,
    answeredBy: 'team',
    change:
      'Follow the help texts of the triggers. The relay refuses any other secret as wrongly pasted: ask the team for another one.',
  }),
};
