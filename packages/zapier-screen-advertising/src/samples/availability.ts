export const availability = {
  screen_id: 'scr_berlin_0001',
  from: '2027-03-01',
  to: '2027-03-31',
  max_sov_pct: 50,
  used_sov_pct: 20,
  available_sov_pct: 30,
  price_per_day_cents: 12900,
  price_per_day: 129,
};
