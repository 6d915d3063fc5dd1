import { html } from 'hono/html';
import { couponStatus } from '../../records/coupon-lifecycle.ts';
import type { StoredCoupon } from '../../state/stored-records.ts';
import { actionButton } from '../parts/forms.ts';
import { listPage } from '../parts/list-page.ts';
import { badge, moment } from '../parts/values.ts';
import type { View } from '../view.ts';

const columns = 'Code,State,Discount,Lead,Redeemed,Valid until,Created,Access,'.split(',');

export const couponsPage = listPage({
  path: '/inspector/coupons',
  title: 'Coupons',
  intro: 'Coupons that partners created, newest first.',
  columns,
  items: ({ sandbox }) => sandbox.coupons.list(),
  row: couponRow,
  empty: 'No coupons yet. Create one with n8n, Zapier, or POST /coupons.',
});

function couponRow(coupon: StoredCoupon, view: View) {
  const state = couponStatus(coupon, view.sandbox.clock.now());
  return [
    html`<code>${coupon.code}</code>`,
    badge(state),
    discount(coupon),
    coupon.lead_email,
    `${coupon.redemptions} of ${coupon.max_redemptions}`,
    coupon.valid_until ?? '-',
    moment(coupon.created_at),
    coupon.accessId,
    state === 'active'
      ? actionButton(view, 'redeem-coupon', 'Redeem', { id: coupon.code, field: 'code' })
      : '',
  ];
}

function discount({ discount_type, discount_value }: StoredCoupon): string {
  if (discount_type === 'percent') return `${discount_value}%`;
  if (discount_type === 'free_days') return `${discount_value} days free`;
  return `${(discount_value / 100).toFixed(2)} off`;
}
