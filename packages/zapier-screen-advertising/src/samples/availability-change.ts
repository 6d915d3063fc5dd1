import { availability } from './availability.ts';
import { screen } from './screen.ts';

export const availabilityChange = {
  id: 'scr_berlin_0001 rises_above 2027-02-01T09:00:00.000Z 1',
  change: 'rises_above',
  share_pct: 10,
  previous_available_sov_pct: 5,
  ...availability,
  screen,
};
