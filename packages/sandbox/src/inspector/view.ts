import type { Html } from '@screen-advertising/server-kit/pages';
import type { Sandbox } from '../sandbox.ts';

/** Input of a page. */
export interface View {
  readonly sandbox: Sandbox;
  /** The URL that was requested. */
  readonly url: URL;
}

export interface InspectorPage {
  readonly path: string;
  /** Its label in the navigation and its heading. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  content(view: View): Html;
}
