/** Screens, their availability and their prices. */
export const aboutScreens = {
  availabilityPeriod: {
    section: '2.2, 4.4',
    question: 'Is the "to" date of an availability inclusive?',
    assumed: 'Yes: 2027-03-01 to 2027-03-31 is 31 days.',
    why: 'Dates without a time mean whole days, and otherwise you could not ask for a period of one day.',
    accepted: ['both-days'],
    change: 'Calculate with the number of days and the price per day in the records.',
  },
  periodPrice: {
    section: '2.2',
    question: 'What does a screen cost for a period?',
    assumed:
      'price_per_day_cents of the availability times the number of days, regardless of the share of voice.',
    why: 'It is the only price in the availability, and the contract ties it to no share.',
    accepted: ['price-per-day'],
    change: 'Calculate from price_per_day_cents, which the records include unchanged.',
  },
  coordinates: {
    section: '2.1',
    question: 'What do latitude and longitude of a screen count in, and can they be missing?',
    assumed:
      'Decimal degrees (WGS 84), north and east positive. A screen without both, or outside -90 to 90 and -180 to 180, has no known place.',
    why: 'Maps and phones use it, and any field of a record may be missing.',
    accepted: ['wgs84'],
    change: 'Compute distances from the fields, which the records include unchanged.',
  },
  currency: {
    section: '2.1, 2.2',
    question: 'Which currency are prices in, and is it the same for all screens?',
    assumed: 'The same for all: prices are compared in cents and shown without a currency.',
    why: 'No field names a currency.',
    accepted: ['one-for-all'],
    change: 'Search one country at a time.',
  },
  availableShare: {
    section: '2.2',
    question: 'Is the available share of voice the same on every day of the period?',
    assumed: 'Yes: you can book it for the whole period.',
    why: 'The availability has one value for a date range.',
    accepted: ['whole-period'],
    change: 'Ask for shorter periods.',
  },
  unbookableScreen: {
    section: '4.2, 4.3, 4.4',
    question:
      'Does the list include screens that cannot be booked, and do they have an availability?',
    assumed: 'No: the list leaves them out, and their availability returns 404.',
    why: 'Section 4.3 treats such a screen as if it did not exist.',
    accepted: ['hidden'],
    change: 'Filter by the is_active field or the availability of a screen.',
  },
  largestPage: {
    section: '4.2, 8',
    question: 'What happens when the limit of the list of screens is above 200?',
    assumed: 'The service rejects it like any invalid parameter, instead of returning 200.',
    why: 'Asking for more than the maximum is a mistake that the caller should see.',
    accepted: ['refused'],
    change: 'Clients never send a limit above 200.',
  },
  smallestPage: {
    section: '4.2',
    question: 'What is the smallest limit of the list of screens?',
    assumed: '1.',
    why: 'With empty pages, a list would never end.',
    accepted: ['1'],
    change: 'Nothing to change.',
  },
} as const;
