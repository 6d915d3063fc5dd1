import { html } from 'hono/html';
import { couponStatus } from '../../records/coupon-lifecycle.ts';
import type { StoredCoupon } from '../../state/stored-records.ts';
import { actionButton } from '../parts/forms.ts';
import { live, table } from '../parts/sections.ts';
import { badge, moment } from '../parts/values.ts';
import type { InspectorPage, View } from '../view.ts';

export const couponsPage: InspectorPage = {
  path: '/inspector/coupons',
  title: 'Coupons',
  intro: 'Coupons that partners created, newest first.',
  content: (view) =>
    live(
      'coupons',
      table({
        name: 'Coupons',
        columns: [
          'Code',
          'State',
          'Discount',
          'Lead',
          'Redeemed',
          'Valid until',
          'Created',
          'Access',
          '',
        ],
        rows: view.sandbox.coupons
          .list()
          .reverse()
          .map((coupon) => row(view, coupon)),
        empty: 'No coupons yet. Create one with n8n, Zapier, or POST /coupons.',
      }),
    ),
};

function row(view: View, coupon: StoredCoupon) {
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
