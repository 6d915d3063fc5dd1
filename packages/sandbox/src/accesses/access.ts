import type { Scope } from '@screen-advertising/core';

/** The identity a partner calls with. Limits, coupons, attribution and requests belong to it. */
export interface Access {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Starts with `svc_`. */
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the deliveries to the webhook addresses of this access. */
  readonly signingSecret: string;
}

export type Accesses = readonly [Access, ...Access[]];
