/** Webhook deliveries and their signatures. */
export const aboutDeliveries = {
  eventName: {
    section: '6',
    question: 'Under which member does a delivery name its event?',
    assumed: '"type".',
    why: 'Most services with a t=,v1= signature do so.',
    accepted: ['type', 'event', 'event_type', 'event_name', 'topic'],
    change:
      'Nothing to change: all are read. The name of one of the five events wins over other words, such as a field "type" of a record. A delivery that names different events is refused.',
  },
  eventId: {
    section: '6',
    question: 'Does a delivery carry an identifier that stays the same over its retries?',
    assumed: '"id".',
    why: 'Most services with retries have one. A retry is the same delivery, so the ID of a delivery stays the same, too.',
    accepted: ['id', 'event_id', 'delivery_id', 'absent'],
    change:
      'Nothing to change: all are read, and without one, repeats are recognized by their body. An "id" beside the fields of the event is taken for that of its record.',
  },
  eventData: {
    section: '6',
    question: 'Where in a delivery are the fields of the event?',
    assumed: 'Under "data".',
    why: 'The lists and the user lookup put what they are about under "data".',
    accepted: ['data', 'payload', 'flat'],
    change:
      'Nothing to change: "data" is read, else "payload", and without an object under either the whole body.',
  },
  signatureScheme: {
    section: '6',
    question: 'How is the signature computed?',
    assumed: 'HMAC-SHA256 over the timestamp, a dot and the raw body, as lower-case hex.',
    why: 'It is what the header of the same shape means elsewhere.',
    accepted: ['sha256-timestamp-body'],
    change: 'The options algorithm and signedContent of the verifier.',
  },
  signatureTimestamp: {
    section: '6',
    question: 'Is a delivery signed anew for each retry?',
    assumed: 'No: the timestamp stays that of the first attempt.',
    why: 'It is the harder case: the last retry then arrives 756 s after its timestamp, or up to 806 s when each attempt before it waited 10 s for an answer, which sets the default tolerance of 900 s.',
    accepted: ['first-attempt', 'each-attempt'],
    change: 'The tolerance of the verifier.',
  },
  failedDelivery: {
    section: '6',
    question: 'What counts as a failed delivery?',
    assumed: 'No connection, no answer within 10 s, or a status other than 2xx.',
    why: 'The receiver must answer with 2xx quickly.',
    accepted: ['not-2xx'],
    change: 'Receivers answer 2xx at once and work afterwards, so the limit hardly matters.',
  },
  webhookRegistration: {
    section: '6',
    question: 'How are the webhook address and the secret registered?',
    assumed: 'By the administration, on request.',
    why: 'Credentials are issued the same way, and no endpoint is shown.',
    accepted: ['by-administration'],
    change: 'The help texts of the triggers.',
  },
} as const;
