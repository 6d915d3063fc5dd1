import { assume } from './assume.ts';

/** What records and lists look like. */
export const aboutRecords = {
  singleRecord: assume({
    section: '4.3, 4.4, 4.5, 4.6, 4.11',
    question: 'Does a single record come bare or under "data"?',
    assumed: 'Bare, as sections 4.3 and 4.4 suggest.',
    why: 'Section 2.5 shows one response under "data", so both are likely.',
    accepted: ['bare', 'data'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read both.',
  }),
  userLookup: assume({
    section: '2.5',
    question: 'Does the record of a user that exists come bare or under "data", and with "exists"?',
    assumed:
      'Under "data", like the response for an unknown user, and with the fields of the contract.',
    why: 'The contract shows the response for an unknown user as { "data": { "exists": false } }, and a record without "exists".',
    accepted: ['data', 'data-with-exists', 'bare'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read all of them.',
  }),
  campaignRequestList: assume({
    section: '4.10',
    question: 'What is the shape of the list of campaign requests, and does it have pages?',
    assumed:
      'Like the list of screens: under "data" with a pagination object, and the query parameter "cursor" gets the next page.',
    why: 'The list of screens is the only one whose shape the contract shows.',
    accepted: ['paginated', 'data', 'bare'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read all of them.',
  }),
  lastCursor: assume({
    section: '2.3',
    question: 'What is the cursor in the pagination of the last page?',
    assumed: 'null, with has_more false.',
    why: 'The contract ends a list with has_more, so the last cursor can be anything.',
    accepted: ['null', 'absent', 'empty', 'repeated'],
    allAccepted: true,
    answeredBy: 'doctor',
    change:
      'A list ends when has_more is false. If has_more is true without a new cursor, the client reports an error.',
  }),
  landingLinkBody: assume({
    section: '4.9',
    question: 'Which fields does the body of a landing link take?',
    assumed: 'The fields that you name; none is required.',
    why: 'Guessed names would fail silently; the Screen Advertising team sends partners the field names.',
    accepted: ['named-by-the-user'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Set the fields of the action.',
  }),
  freeText: assume({
    section: '2.1, 2.4, 4.2, 4.10',
    question:
      'Which values do orientation, bbox, valid_until, and from and to of campaign requests take?',
    assumed:
      'Free text, sent as given. The sandbox accepts dates as YYYY-MM-DD, timestamps such as 2027-03-31T23:59:59Z, and a bbox of west,south,east,north in degrees, and rejects anything else.',
    why: 'A stricter check could reject what the service accepts; the sandbox needs a format to apply the filters.',
    accepted: ['free-text'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Nothing to change.',
  }),
  openRequest: assume({
    section: '2.7, 3, 6',
    question: 'What is the status of a campaign request without an outcome?',
    assumed: 'null, until it gets one of the four statuses.',
    why: 'All four statuses in the contract are outcomes, but one event reports a request before it has an outcome.',
    accepted: ['null'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Connectors pass the record through unchanged.',
  }),
  campaignRequestPeriod: assume({
    section: '4.10, 8',
    question:
      'Which time do from and to of campaign requests mean, are they inclusive, and how long is a page?',
    assumed: 'The creation of the request; both are inclusive; a page has 50 records.',
    why: 'Every request has a creation time, the dates of an availability are inclusive, and 50 is the default of the other list.',
    accepted: ['created-both-ends'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Connectors send both as given and read pages of any length.',
  }),
};
