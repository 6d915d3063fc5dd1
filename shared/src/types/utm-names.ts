import type { LandingLinkCreateParams } from './landing-links.ts';

/** The names of the fields that an interface lists, without those that it merely allows. */
type Listed<Fields> = keyof {
  [Name in keyof Fields as string extends Name ? never : Name]: true;
};

/**
 * Refuses names that look like a UTM parameter and are none, such as `utm_campain`. Names that the
 * compiler cannot see, as in a `Record<string, string>`, all pass.
 */
export type UtmNamesOf<Fields> = {
  [Name in keyof Fields as Name extends `utm_${string}`
    ? Exclude<Name, Listed<LandingLinkCreateParams>>
    : never]: Name extends string ? `${Name} is no UTM parameter` : never;
};
