import {
  createActionForms,
  createBadge,
  type Html,
  type ServerProduct,
  selectField,
} from '@screen-advertising/server-kit/pages';
import type { Sandbox } from '../sandbox.ts';
import type { ActionName } from './actions.ts';

/** Input of a page. */
export interface PageInput {
  readonly sandbox: Sandbox;
  /** The URL that was requested. */
  readonly url: URL;
}

export interface InspectorPageDefinition {
  readonly path: string;
  /** Its label in the navigation and its heading. */
  readonly title: string;
  /** One sentence under the heading. */
  readonly intro: string;
  content(view: PageInput): Html;
}

/** Styles that only the sandbox's pages have. */
const styles = `
.clock, #clock-now { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .6rem; }
.now { font-variant-numeric: tabular-nums; }
.now abbr { text-decoration: none; color: var(--quiet); }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 1rem; color: var(--quiet); font-size: .9rem; border-top: 1px solid var(--line); padding-top: .6rem; padding-bottom: 1.5rem; }

h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.card h2, .card h3 { margin-top: 0; margin-bottom: .2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
/* Narrow: the value goes under its name. */
.cards dl > div { grid-template-columns: 1fr; gap: 0; }
dl:has(.copyable) > div + div { border-top: 1px solid var(--line); }
dd .copyable { flex-wrap: nowrap; justify-content: space-between; }

form.inline select { width: auto; }
form.fields > .wide, form.fields > :has(#kind) { flex: 3 1 18rem; max-width: 36rem; }
form.fields p { margin: 0 0 .4rem; }
form.stack > details > div { margin-bottom: .6rem; }
form.stack button { margin-top: .6rem; }
/* One opened form must not stretch its neighbours. */
.events { align-items: start; }
.event { display: flex; flex-direction: column; }
.event p { margin-bottom: .3rem; }
.event form { margin-top: auto; }

td:has(form) { text-align: right; }
.records .scroll { margin-top: .5rem; }
.records td code { display: inline-block; min-width: 20rem; white-space: normal; }
.records pre { background: var(--page); }
.row { align-items: baseline; }
.row p { margin: 0; }

.map { background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.map svg { display: block; width: 100%; }
.map circle { fill: var(--accent); opacity: .75; }
.map text { fill: var(--text); font-size: 15px; }
.map a:hover circle, .map .chosen circle { opacity: 1; stroke: var(--text); stroke-width: 2; }
.map a:focus-visible circle { stroke: var(--text); stroke-width: 3; }
.map .chosen text { font-weight: 700; }
.map .radius { fill: var(--accent); opacity: .12; }
.map .place { stroke: var(--text); stroke-width: 3; }
.screens { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: 1rem; list-style: none; margin: 0; padding: 0; }
.screen { padding: 0 0 .6rem; overflow: hidden; font-size: .93rem; }
.screen img { display: block; width: 100%; height: auto; margin-bottom: .6rem; }
.screen h2 { font-size: 1rem; padding: 0 .9rem; }
.screen p { margin: 0 0 .15rem; padding: 0 .9rem; }

@media (min-width: 64rem) {
  .split { display: grid; grid-template-columns: 30rem 1fr; gap: 1rem; align-items: start; }
  .split > :first-child { position: sticky; top: 1rem; }
}
@media (max-width: 40rem) {
  header { justify-content: flex-start; gap: .4rem .5rem; font-size: .88rem; }
  .clock, #clock-now { display: contents; }
  .clock :is(button, select) { padding-left: .55rem; padding-right: .55rem; }
  .name { flex: 1; }
  nav[aria-label="Pages"] a { padding: .6rem .3rem; font-size: .85rem; }
  .name b { display: none; }
  .map text { font-size: 17px; }
  td:has(form) { text-align: left; }
  .records td code { min-width: 0; }
}
`;

/** A screen on its stand. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="3" y="5" width="26" height="17" rx="3" fill="#2b59c3"/>
<path d="M8 18l5-6 4 4 3-3 4 5z" fill="#fff" opacity=".9"/>
<path d="M16 22v4m-6 1h12" stroke="#2b59c3" stroke-width="3" stroke-linecap="round"/>
</svg>
`;

export const sandboxProduct: ServerProduct = {
  name: 'sandbox',
  base: '/inspector',
  refreshMs: 1000,
  icon,
  styles,
};

export const { actionForm, actionButton } = createActionForms<ActionName>(sandboxProduct, true);

/** Selects the access that an action is about. Left empty, the sandbox chooses it. */
export function accessSelect({ sandbox }: PageInput, id: string, anyLabel?: string): Html {
  const accesses = sandbox.accesses.map((access) => [access.id, access.id] as const);
  const options = anyLabel ? [['', anyLabel] as const, ...accesses] : accesses;
  return selectField({ name: 'access', label: 'Access', id, options });
}

/** A state of a coupon, campaign request, screen or delivery. */
export const stateBadge = createBadge({
  good: ['active', 'delivered', 'converted', 'bookable'],
  waiting: ['pending', 'open', 'ignored'],
  bad: ['exhausted', 'rejected', 'revoked', 'expired'],
});

/** Indented if it is JSON, since a reader looks for one member. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
