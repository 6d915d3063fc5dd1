import type { Html } from '@screen-advertising/page-kit';
import type { RelayContext } from '../context.ts';

export type { Html };

/** Input of a page. */
export interface View {
  readonly context: RelayContext;
  /** The URL that was requested. */
  readonly url: URL;
  /** Where the service reaches the relay. */
  readonly relayUrl: string;
}

/** A page in the navigation. */
export interface ListPage {
  readonly path: string;
  /** Its label in the navigation and its heading. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  content(view: View): Promise<Html>;
}

/** A page of one record. */
export interface DetailPage {
  /** Its path, with `:id` in place of the ID. */
  readonly path: string;
  /** Undefined when there is no such record. */
  find(view: View, id: string): Promise<Detail | undefined>;
}

export interface Detail {
  readonly title: string;
  readonly intro: string;
  readonly content: Html;
}
