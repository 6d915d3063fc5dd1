import { availability } from './availability.ts';
import { screen } from './screen.ts';

export const availableScreen = {
  ...availability,
  days: 31,
  total_price_cents: 399900,
  total_price: 3999,
  screen,
  unread_screens: 0,
  unread_screen_ids: '',
};
