export const user = {
  exists: true,
  user_id: 'usr_0001',
  registered_at: '2027-03-01T09:30:00Z',
  has_bookings: false,
  attribution: { source: 'partner_api' },
};
