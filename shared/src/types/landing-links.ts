import type { CallPromise } from '../client/call-promise.ts';
import type { CallOptions } from '../client/run.ts';

/** Links with UTM parameters. */
export interface LandingLinksApi {
  /**
   * Creates a link to the service with UTM tracking parameters. Section 4.9; scope `links:write`.
   */
  create<Params extends LandingLinkCreateParams>(
    params: Params & UtmNamesOf<Params>,
    options?: CallOptions,
  ): CallPromise<LandingLink>;
}

/** What Create Landing Link takes. */
export interface LandingLinkCreateParams {
  /** Where visitors come from, such as a newsletter. */
  utm_source?: string | undefined;
  /** The service always sets it to partner_api. */
  utm_medium?: string | undefined;
  /** The campaign, such as spring. */
  utm_campaign?: string | undefined;
  /** The search term that led to the link. */
  utm_term?: string | undefined;
  /** Which of several links it is, such as footer. */
  utm_content?: string | undefined;
  /** ID of the campaign. */
  utm_id?: string | undefined;
  /**
   * The fields of the landing link by name, such as utm_campaign. Ask the Screen Advertising team
   * which fields it takes.
   */
  [name: string]: unknown;
}

/**
 * A landing link as the service sends it. `allFields` also shows fields that are not listed here.
 */
export interface LandingLink {
  /** The link with its UTM parameters. */
  url: string;
}

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
