export const coupon = {
  code: 'SPRING-25',
  status: 'active',
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
  max_redemptions: 1,
  valid_until: '2027-03-31',
  lead_metadata: { crm_id: '42' },
};

export const revokedCoupon = { ...coupon, status: 'revoked' };
