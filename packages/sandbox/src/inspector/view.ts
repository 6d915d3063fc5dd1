import type { html } from 'hono/html';
import type { Sandbox } from '../sandbox.ts';

/** Escaped where it was put together: values in templates never become markup. */
export type Html = ReturnType<typeof html>;

/** What a page is made from. */
export interface View {
  readonly sandbox: Sandbox;
  /** Address the page was asked for under. */
  readonly url: URL;
}

export interface InspectorPage {
  readonly path: string;
  /** Its name in the navigation and its heading. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  content(view: View): Html;
}
