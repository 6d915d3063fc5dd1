import type { html } from 'hono/html';
import type { RelayContext } from '../context.ts';

/** Escaped where it was put together: values in templates never become markup. */
export type Html = ReturnType<typeof html>;

/** What a page is made from. */
export interface View {
  readonly context: RelayContext;
  /** Address the page was asked for under. */
  readonly url: URL;
  /** Where the service reaches the relay. */
  readonly relayUrl: string;
}

/** A page of the navigation. */
export interface ListPage {
  readonly path: string;
  /** Its name in the navigation and its heading. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  content(view: View): Promise<Html>;
}

/** A page of one record. */
export interface DetailPage {
  /** Where its ID stands as `:id`. */
  readonly path: string;
  /** Undefined when there is no such record. */
  find(view: View, id: string): Promise<Detail | undefined>;
}

export interface Detail {
  readonly title: string;
  readonly intro: string;
  readonly content: Html;
}
