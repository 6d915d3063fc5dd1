/** Only what the caller sets, or the service must answer: what else a coupon holds is not shown. */
export const coupon = {
  code: 'SPRING-25',
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
};

/** The service may answer a revocation with nothing at all. */
export const revokedCoupon = { code: 'SPRING-25' };
