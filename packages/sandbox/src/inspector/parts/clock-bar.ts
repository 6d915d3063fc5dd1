import { type Html, live, moment } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import type { View } from '../view.ts';
import { actionForm } from './forms.ts';

const minuteMs = 60_000;

/**
 * The retry intervals of deliveries, the lifetime of a token, and spans in which coupons expire.
 */
const steps: readonly (readonly [ms: number, label: string])[] = [
  [1_000, '1 second'],
  [5_000, '5 seconds'],
  [30_000, '30 seconds'],
  [2 * minuteMs, '2 minutes'],
  [10 * minuteMs, '10 minutes'],
  [60 * minuteMs, '1 hour'],
  [24 * 60 * minuteMs, '1 day'],
  [30 * 24 * 60 * minuteMs, '30 days'],
];

/** Shows the sandbox's time and the controls for it. */
export function clockBar(view: View): Html {
  const { clock } = view.sandbox;
  const advance = html`<label for="advance-ms" class="hidden">Advance by</label>
<select id="advance-ms" name="ms">
${steps.map(([ms, label]) => html`<option value="${ms}">${label}</option>`)}
</select>
<button id="clock-advance">Advance</button>`;
  return html`<section class="clock" aria-label="Clock">
${live(
  'clock-now',
  html`<span class="now">${moment(clock.now())} <abbr title="Coordinated Universal Time">UTC</abbr></span>
<span class="quiet">${clock.isFrozen ? 'frozen' : 'running'}</span>
${actionForm(view.url, {
  action: clock.isFrozen ? 'run-clock' : 'freeze-clock',
  content: html`<button id="clock-switch">${clock.isFrozen ? 'Run' : 'Freeze'}</button>`,
})}`,
)}
${actionForm(view.url, { action: 'advance-clock', content: advance })}
</section>`;
}
