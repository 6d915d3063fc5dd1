import {
  type Html,
  pageLayout as kitLayout,
  livePart,
  type PageContent,
  type ServerProduct,
} from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { RelayContext } from '../log/context.ts';
import type { ActionName } from './actions.ts';

export type { Html };

export interface PageInput {
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
  readonly intro: string;
  /** The path of the page that leads to it, if the navigation does not. */
  readonly partOf?: string;
  content(view: PageInput): Promise<Html>;
}

export interface DetailPage {
  /** Its path up to the ID. */
  readonly under: string;
  /** Undefined when there is no such record. */
  find(view: PageInput, id: string): Promise<DetailPageContent | undefined>;
}

export interface DetailPageContent {
  readonly title: string;
  readonly intro: string;
  readonly content: Html;
}

/** Styles beside those of the kit. */
const styles = `
td .copyable { flex-wrap: nowrap; }
form.fields > :has(#subscription) { flex: 3 1 20rem; max-width: 46rem; }
.narrow { max-width: 26rem; margin: 1rem 0; }

.plot svg { display: block; width: 100%; height: 11rem; border: 1px solid var(--line); border-width: 1px 0; }
.axis { display: flex; margin-top: .3rem; font-size: .8rem; color: var(--quiet); }
.axis span { flex: 1; }
.plot .events { --series: var(--accent); }
.plot .deliveries { --series: var(--good); }
.plot .failures { --series: var(--bad); }
.plot rect { fill: var(--series); }
.plot .scroll { border: 0; margin: .5rem 0 0; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: 0; padding: 0; list-style: none; color: var(--quiet); }
.legend b { color: var(--text); }
.legend li::before { content: ""; display: inline-block; width: .75rem; height: .75rem; margin-right: .4rem; border-radius: 3px; background: var(--series); }

input[type=checkbox] { width: 1.2rem; min-height: 1.2rem; margin: .75rem 0 0 1rem; flex: none; }
form.stack input { margin-bottom: .4rem; }
.ask { display: inline-block; vertical-align: top; }
.ask > summary { display: inline-block; min-height: 1.7rem; padding: .12rem .6rem; font-size: .86rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.ask > summary:hover { border-color: var(--accent); }
.ask > summary::after { content: " ..."; }
.ask > div { max-width: 24rem; padding: .5rem 0; white-space: normal; }

pre { max-height: 30rem; overflow: auto; }
td .wraps { display: inline-block; min-width: 11rem; white-space: normal; overflow-wrap: anywhere; vertical-align: top; }
td pre { min-width: 16rem; max-width: 44rem; max-height: 12rem; margin: .4rem 0 0; }
.steps { margin: 0; padding: 0; list-style: none; }
.steps > li { margin-bottom: .9rem; }
.steps h2 { margin-top: 0; }
.steps .badge { margin-right: .4rem; vertical-align: middle; }
.steps form.fields { margin-bottom: 0; }

@media (max-width: 40rem) {
  /* Beside the button that signs out. */
  header { flex-wrap: nowrap; }
  .name { min-width: 0; font-size: .9rem; gap: .35rem; }
  .ask > summary { min-height: 2.5rem; padding: .45rem .8rem; }
  input[type=checkbox] { width: 1.6rem; min-height: 1.6rem; }
  td .wraps, td pre { min-width: 0; }
  td pre { clear: both; margin-left: -7.6rem; }
  td .copyable { flex-wrap: wrap; }
}
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="none" stroke="#2b59c3" stroke-width="3" stroke-linecap="round"><path d="M3 16h24M10 16c5 0 5-9 10-9h7M10 16c5 0 5 9 10 9h7"/></g>
<circle cx="10" cy="16" r="4.5" fill="#2b59c3"/>
</svg>
`;

export const relayProduct: ServerProduct = {
  name: 'relay',
  base: '/operator',
  refreshMs: 3000,
  icon,
  styles,
};

/** A whole page. Without navigation, the visitor is not signed in. */
export function relayPageLayout(page: PageContent): Html {
  if (!page.navigation) return kitLayout(relayProduct, page);
  return kitLayout(relayProduct, {
    ...page,
    header: signOut,
    content: livePart('live', page.content),
  });
}

const signOut = html`<form method="post" action="/operator/sign-out" class="inline">
<button class="small">Sign out</button>
</form>`;
