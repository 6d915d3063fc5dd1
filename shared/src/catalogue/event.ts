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

type Described = Omit<EventKind, 'name'>;

/** The kinds by name, each with its name. */
export function eventKinds<Name extends string>(
  kinds: Readonly<Record<Name, Described>>,
): { readonly [Each in Name]: EventKind<Each> } {
  const named = Object.entries<Described>(kinds).map(([name, kind]) => [name, { name, ...kind }]);
  return Object.fromEntries(named);
}
