import type { assumptions } from '@screen-advertising/core/contract';
import type { Finding } from './finding.ts';
import type { Service } from './service.ts';

/** The assumptions about which this command can find out something. */
export type CheckId = {
  [Name in keyof typeof assumptions]: (typeof assumptions)[Name]['answeredBy'] extends `doctor${string}`
    ? Name
    : never;
}[keyof typeof assumptions];

export interface DoctorOptions {
  /** A user to look up, and the lead of the coupon. */
  readonly email?: string | undefined;
  /** Of the coupon to create and revoke. */
  readonly code?: string | undefined;
  readonly write: boolean;
}

/** Looks at the service. May throw a `Stop`, or the error of a request without a response. */
export type Check = (service: Service, options: DoctorOptions) => Promise<Finding>;

/** Part of the table of checks. */
export type Checks<Name extends CheckId> = Readonly<Record<Name, Check>>;
