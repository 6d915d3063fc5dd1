/** One kind of event that the service delivers to a webhook (section 6). */
export interface EventKind<Name extends string = string> {
  /** Such as `coupon.redeemed`. */
  readonly name: Name;
  /** Short label in Title Case. */
  readonly title: string;
  /** `Triggers when ... .` */
  readonly description: string;
  /** What `data` might look like; the contract does not show it. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** One kind of event, with what the fields of its sample mean. */
export interface DescribedKind<Name extends string = string> extends EventKind<Name> {
  /** What each field of the sample means. */
  readonly fields: Readonly<Record<string, string>>;
}
