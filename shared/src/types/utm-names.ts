type UtmName = `utm_${'source' | 'medium' | 'campaign' | 'term' | 'content' | 'id'}`;

/** What the compiler shows for a misspelled name. */
interface NotAUtmParameter<Name> {
  readonly name: Name;
}

/**
 * Refuses names that look like a UTM parameter and are none, such as `utm_campain`. Names that the
 * compiler cannot see, as in a `Record<string, string>`, all pass.
 */
export type UtmNamesOf<Fields> = {
  [Name in keyof Fields as Name extends `utm_${string}`
    ? Exclude<Name, UtmName>
    : never]: NotAUtmParameter<Name>;
};
