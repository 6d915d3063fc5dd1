/** One kind of event that the service delivers to a webhook (section 6). */
export interface EventKind<Name extends string = string> {
  readonly name: Name;
  /** Short label in Title Case. */
  readonly title: string;
  /** `Triggers when ... .` */
  readonly description: string;
  /** What `data` might look like; the contract does not show it. */
  readonly sample: Readonly<Record<string, unknown>>;
}

export function eventKind<const Name extends string>(definition: EventKind<Name>): EventKind<Name> {
  return definition;
}
