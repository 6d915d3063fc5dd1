/** What records and lists look like. */
export const aboutRecords = {
  singleRecord: {
    section: '4.3, 4.4, 4.5, 4.6, 4.11',
    question: 'Does a single record come bare or under "data"?',
    assumed: 'Bare, as sections 4.3 and 4.4 read.',
    why: 'Section 2.5 shows one answer under "data", so both are likely.',
    accepted: ['bare', 'data'],
    change: 'Nothing to change: both are read.',
  },
  userLookup: {
    section: '2.5',
    question: 'Does the record of a user that exists come bare or under "data", and with "exists"?',
    assumed: 'Under "data" with "exists": true, like the answer for an unknown user.',
    why: 'The answer for an unknown user is shown as { "data": { "exists": false } }.',
    accepted: ['data', 'data-without-exists', 'bare'],
    change: 'Nothing to change: all are read.',
  },
  campaignRequestList: {
    section: '4.10',
    question: 'What shape has the list of campaign requests, and does it come in pages?',
    assumed:
      'Like the list of screens: under "data" with a pagination object, continued by the query parameter "cursor".',
    why: 'It is the only list whose shape is shown.',
    accepted: ['paginated', 'data', 'bare'],
    change: 'Nothing to change: all are read.',
  },
  lastCursor: {
    section: '2.3',
    question: 'What does the pagination of the last page hold as cursor?',
    assumed: 'null, with has_more false.',
    why: 'has_more is what is documented to end a list; the cursor may be anything then.',
    accepted: ['null', 'absent', 'empty', 'repeated'],
    change:
      'Nothing to change: a list ends when has_more is false. When there is more and no new cursor, reading it on is an error.',
  },
  landingLinkBody: {
    section: '4.9',
    question: 'Which fields does the body of a landing link take?',
    assumed: 'Those the user names; none is required here.',
    why: 'Guessing names would break silently; the administration tells its partners.',
    accepted: ['named-by-the-user'],
    change: 'The fields of the action.',
  },
  freeText: {
    section: '2.1, 2.4, 4.2, 4.10',
    question:
      'Which values do orientation, bbox, valid_until, and from and to of campaign requests take?',
    assumed:
      'Free text, sent as given. The sandbox itself reads dates written YYYY-MM-DD, timestamps such as 2027-03-31T23:59:59Z, and a bbox of west,south,east,north in degrees; it refuses others.',
    why: 'A check of our own could refuse what the service accepts; the sandbox needs formats to keep to the filters.',
    accepted: ['free-text'],
    change: 'Nothing to change.',
  },
  openRequest: {
    section: '2.7, 3, 6',
    question: 'Which status has a campaign request that has no outcome yet?',
    assumed: 'null, until one of the four statuses is reached.',
    why: 'The four that are shown are all outcomes, but an event tells of a request before it has one.',
    accepted: ['null'],
    change: 'Connectors pass the record through untouched, whatever it holds.',
  },
  campaignRequestPeriod: {
    section: '4.10, 8',
    question:
      'Which moment do from and to of campaign requests mean, do their ends belong to it, and how long is a page?',
    assumed: 'The creation of the request, both ends included; a page holds 50.',
    why: 'Every request has that moment, the days of an availability include both ends as well, and 50 is the default of the other list.',
    accepted: ['created-both-ends'],
    change: 'Connectors send both as given and read all pages, however long they are.',
  },
} as const;
