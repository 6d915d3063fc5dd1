import { formatMoment, type Html, htmlTable, livePart } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { couponStatus } from '../state/coupon-lifecycle.ts';
import type { StoredCoupon } from '../state/stored-records.ts';
import { actionButton, type InspectorPageDefinition, type PageInput, stateBadge } from './view.ts';

interface List<Item> extends Omit<InspectorPageDefinition, 'content'> {
  readonly columns: readonly string[];
  /** All records, oldest first. */
  items(view: PageInput): Item[];
  row(item: Item, view: PageInput): readonly (Html | string | number)[];
  /** Shown while there are no records. */
  readonly empty: string;
}

/** A page with one table of records, newest first. */
function listPage<Item>({
  columns,
  items,
  row,
  empty,
  ...page
}: List<Item>): InspectorPageDefinition {
  const name = page.title;
  return {
    ...page,
    content(view) {
      const rows = items(view)
        .reverse()
        .map((item) => row(item, view));
      return livePart('records', htmlTable({ name, columns, rows, empty }));
    },
  };
}

export const couponsPage = listPage({
  path: '/inspector/coupons',
  title: 'Coupons',
  intro: 'Coupons that partners created, newest first.',
  columns: 'Code,State,Discount,Lead,Redeemed,Valid until,Created,Access,'.split(','),
  items: ({ sandbox }) => sandbox.coupons.list(),
  row(coupon, view) {
    const state = couponStatus(coupon, view.sandbox.clock.now());
    return [
      html`<code>${coupon.code}</code>`,
      stateBadge(state),
      discount(coupon),
      coupon.lead_email,
      `${coupon.redemptions} of ${coupon.max_redemptions}`,
      coupon.valid_until ?? '-',
      formatMoment(coupon.created_at),
      coupon.accessId,
      state === 'active'
        ? actionButton(view.url, {
            action: 'redeem-coupon',
            label: 'Redeem',
            of: coupon.code,
            fields: { code: coupon.code },
            id: `redeem-${coupon.code}`,
          })
        : '',
    ];
  },
  empty: 'No coupons yet. Create one with n8n, Zapier, or POST /coupons.',
});

function discount({ discount_type, discount_value }: StoredCoupon): string {
  if (discount_type === 'percent') return `${discount_value}%`;
  if (discount_type === 'free_days') return `${discount_value} days free`;
  return `${(discount_value / 100).toFixed(2)} off`;
}

export const usersPage = listPage({
  path: '/inspector/users',
  title: 'Users',
  intro: 'Users you can look up by email address or VAT number, newest first.',
  columns: ['User', 'Email', 'VAT number', 'Registered', 'Bookings', 'Referred by'],
  items: ({ sandbox }) => sandbox.users.list(),
  row: (user) => [
    html`<code>${user.user_id}</code>`,
    user.email,
    user.vat_uid ?? '-',
    formatMoment(user.registered_at),
    user.has_bookings ? stateBadge('yes') : 'no',
    user.referredBy ?? '-',
  ],
  empty: 'No users. Fire the event User Registered to add one.',
});

export const campaignRequestsPage = listPage({
  path: '/inspector/campaign-requests',
  title: 'Campaign requests',
  intro: 'The campaign requests of all accesses, newest first. Each access sees only its own.',
  columns: ['Request', 'Status', 'Industry', 'Email', 'Created', 'Updated', 'Access'],
  items: ({ sandbox }) => sandbox.campaignRequests.list(),
  row: (request) => [
    html`<code>${request.id}</code>`,
    stateBadge(request.status ?? 'open'),
    request.industry,
    request.email,
    formatMoment(request.created_at),
    formatMoment(request.updated_at),
    request.accessId,
  ],
  empty: 'No campaign requests. Fire the event Campaign Request Created to add one.',
});
