import type { Html } from '@screen-advertising/server-kit/pages';
import type { RelayContext } from '../../log/context.ts';
import type { ActionName } from './actions.ts';

export type { Html };

export interface View {
  readonly context: RelayContext;
  readonly url: URL;
  /** Where the service reaches the relay. */
  readonly relayUrl: string;
  readonly refused?: RefusedForm;
}

interface RefusedForm {
  readonly action: ActionName;
  readonly form: Readonly<Record<string, string>>;
  /** The name of the field that the reason is about. */
  readonly about: string | undefined;
  readonly text: string;
}

export interface ListPage {
  readonly path: string;
  /** Its heading, and its label in links. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  /** The path of the page that leads to it, if the navigation does not. */
  readonly partOf?: string;
  content(view: View): Promise<Html>;
}

export interface DetailPage {
  /** Its path up to the ID. */
  readonly under: string;
  /** Undefined when there is no such record. */
  find(view: View, id: string): Promise<Detail | undefined>;
}

export interface Detail {
  readonly title: string;
  readonly intro: string;
  readonly content: Html;
}
