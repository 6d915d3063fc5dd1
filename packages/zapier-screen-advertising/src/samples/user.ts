/** Without the attribution, which comes only for users that the caller referred. */
export const user = {
  user_id: 'usr_0001',
  registered_at: '2027-03-01T09:30:00Z',
  has_bookings: false,
};
