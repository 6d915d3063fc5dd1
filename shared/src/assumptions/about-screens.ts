import type { Assumption } from './assumption.ts';

/** Screens, their availability and their prices. */
export const aboutScreens = {
  availabilityPeriod: {
    section: '2.2, 4.4',
    question: 'Does the day in "to" belong to the period of an availability?',
    assumed: 'Yes: from 2027-03-01 to 2027-03-31 are 31 days.',
    why: 'Dates without a time name whole days, and a period of one day could not be asked for otherwise.',
    accepted: ['both-days'],
    change: 'The records hold the days that were counted, and the price per day.',
  },
  periodPrice: {
    section: '2.2',
    question: 'What does the ad time of a screen cost over a period?',
    assumed: 'price_per_day_cents of the availability times the days, whatever the share.',
    why: 'It is the only price that the availability tells, and no share stands beside it.',
    accepted: ['price-per-day'],
    change: 'The records hold price_per_day_cents as it came, to reckon otherwise.',
  },
  currency: {
    section: '2.1, 2.2',
    question: 'Which currency are prices in, and is it the same for all screens?',
    assumed:
      'The same for all: prices are compared as numbers of cents and shown without a currency.',
    why: 'No field tells a currency.',
    accepted: ['one-for-all'],
    change: 'Search one country at a time.',
  },
  availableShare: {
    section: '2.2',
    question: 'Is the available share there on every day of the period?',
    assumed: 'Yes: it can be booked for the whole period.',
    why: 'The availability has one share for a date range.',
    accepted: ['whole-period'],
    change: 'Ask for shorter periods.',
  },
  unbookableScreen: {
    section: '4.2, 4.3, 4.4',
    question: 'Are screens that cannot be booked in the list, and have they an availability?',
    assumed: 'No: the list leaves them out, and their availability is answered with 404.',
    why: 'Section 4.3 answers for such a screen as if it did not exist.',
    accepted: ['hidden'],
    change: 'Filter by what the field is_active or the availability of a screen tells.',
  },
  largestPage: {
    section: '4.2, 8',
    question: 'What answers a limit above 200 in the list of screens?',
    assumed: 'A refusal, like any invalid parameter; the page is not cut to 200.',
    why: 'Whoever asks for more than the maximum should learn of it.',
    accepted: ['refused'],
    change: 'Nothing to change: clients refuse a limit above 200 before they send it.',
  },
  smallestPage: {
    section: '4.2',
    question: 'What is the smallest limit of the list of screens?',
    assumed: '1.',
    why: 'A page of none would never end a list.',
    accepted: ['1'],
    change: 'Nothing to change.',
  },
} as const satisfies Record<string, Assumption>;
