/** Webhook deliveries and their signatures. */
export const aboutDeliveries = {
  eventName: {
    section: '6',
    question: 'Which member of a delivery names the event?',
    assumed: '"type".',
    why: 'Most services with a t=,v1= signature do so.',
    accepted: ['type', 'event', 'event_type', 'event_name', 'topic'],
    change:
      'Clients read all of them. The name of a known event wins over other values, such as the "type" of a record. A delivery that names two events is rejected.',
  },
  eventId: {
    section: '6',
    question: 'Does a delivery have an ID that stays the same across retries?',
    assumed: '"id".',
    why: 'Most services with retries have one. A retry is the same delivery, so its ID stays the same.',
    accepted: ['id', 'event_id', 'delivery_id', 'absent'],
    change:
      'Clients read all of them, or recognize duplicates by their body. An "id" next to the fields of the event is the ID of its record.',
  },
  eventData: {
    section: '6',
    question: 'Where in a delivery are the fields of the event?',
    assumed: 'Under "data".',
    why: 'The lists and the user lookup put their records under "data".',
    accepted: ['data', 'payload', 'flat'],
    change: 'Clients read "data", then "payload", then the whole body.',
  },
  signatureScheme: {
    section: '6',
    question: 'How is the signature computed?',
    assumed: 'HMAC-SHA256 over the timestamp, a dot, and the raw body, as lowercase hex.',
    why: 'Other services use a header of this shape this way.',
    accepted: ['sha256-timestamp-body'],
    change: 'Set the algorithm and signedContent options of the verifier.',
  },
  signatureTimestamp: {
    section: '6',
    question: 'Does each retry get a new signature?',
    assumed: 'No: it keeps the timestamp of the first attempt.',
    why: 'This is the harder case: the last retry arrives 756 s after its timestamp, or up to 806 s if each earlier attempt waited 10 s for a response. So the default tolerance is 900 s.',
    accepted: ['first-attempt', 'each-attempt'],
    change: 'Set the tolerance of the verifier.',
  },
  failedDelivery: {
    section: '6',
    question: 'What counts as a failed delivery?',
    assumed: 'No connection, no response within 10 s, or a status other than 2xx.',
    why: 'The contract asks receivers to respond with 2xx quickly.',
    accepted: ['not-2xx'],
    change: 'Receivers respond with 2xx at once and work afterwards, so the limit hardly matters.',
  },
  webhookRegistration: {
    section: '6',
    question: 'How do you register the webhook address and the secret?',
    assumed: 'The Screen Advertising team registers them on request.',
    why: 'Credentials are issued this way, and the contract shows no endpoint.',
    accepted: ['by-administration'],
    change: 'Follow the help texts of the triggers.',
  },
} as const;
