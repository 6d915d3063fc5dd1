import { operations } from '@screen-advertising/core';
import { searchFromCatalogue } from '../lib/from-catalogue.ts';
import { nextDaysField, optionalPeriod, withPeriod } from '../lib/period.ts';

export default searchFromCatalogue(operations['screen.availability'], {
  key: 'get_screen_availability',
  label: 'Find Screen Availability',
  noun: 'Screen Availability',
  description: 'Finds the share of voice still available on a screen between two dates.',
  extras: optionalPeriod,
  moreFields: [nextDaysField],
  prepare: withPeriod,
  primary: ['screen_id', 'from', 'to'],
});
