import { table } from '@screen-advertising/server-kit/pages';
import { html } from 'hono/html';
import { type RangeName, ranges, type Slot } from '../../watch/hourly-counts.ts';
import type { Html } from '../view.ts';

const series = [
  ['events', 'Events'],
  ['deliveries', 'Deliveries'],
  ['failures', 'Failed attempts'],
] as const;

/** Of the drawing, which stretches to the page. */
const width = 960;
const height = 130;
const gap = 0.25;
/** How many hours or days have one label. */
const labelEvery = { hours: 4, days: 2 } as const;

/** A bar for each number of each hour or day, and the same numbers as a table. */
export function activityPlot(name: RangeName, slots: readonly Slot[]): Html {
  const most = Math.max(1, ...slots.flatMap((slot) => series.map(([key]) => slot[key])));
  const slotWidth = width / slots.length;
  const barWidth = (slotWidth * (1 - gap)) / series.length;
  const bars = slots.flatMap((slot, nth) =>
    series.map(([key], place) => {
      const high = (slot[key] / most) * height;
      const x = nth * slotWidth + place * barWidth;
      return html`<rect class="${key}" x="${fixed(x)}" y="${fixed(height - high)}" width="${fixed(barWidth)}" height="${fixed(high)}"/>`;
    }),
  );
  const labels = slots
    .filter((_, nth) => nth % labelEvery[name] === 0)
    .map(({ at }) => html`<span>${label(name, at)}</span>`);
  const totals = series.map(
    ([key, title]) =>
      [title, slots.reduce((sum, slot) => sum + slot[key], 0).toLocaleString('en-US')] as const,
  );
  const summary = totals.map(([title, total]) => `${title}: ${total}`).join('. ');
  return html`<div class="plot card">
<ul class="legend">${series.map(([key], nth) => html`<li class="${key}"><b>${totals[nth]?.[1]}</b> ${totals[nth]?.[0]}</li>`)}</ul>
<div class="axis" aria-hidden="true"><span>${most.toLocaleString('en-US')}</span></div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="plot-title plot-desc">
<title id="plot-title">Events, deliveries, and failed attempts</title>
<desc id="plot-desc">${ranges[name].label}. ${summary}. Most in one bar: ${most}.</desc>
${bars}</svg>
<div class="axis" aria-hidden="true">${labels}</div>
<details id="plot-table"><summary>Show as a table</summary>
${table({
  name: 'Events, deliveries, and failed attempts',
  columns: [name === 'hours' ? 'Hour (UTC)' : 'Day (UTC)', ...series.map(([, title]) => title)],
  rows: slots.map((slot) => [
    new Date(slot.at)
      .toISOString()
      .slice(0, name === 'hours' ? 16 : 10)
      .replace('T', ' '),
    ...series.map(([key]) => slot[key]),
  ]),
  empty: '',
})}
</details>
</div>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/** `14:00`, or `03-01`. */
function label(name: RangeName, at: number): string {
  const iso = new Date(at).toISOString();
  return name === 'hours' ? iso.slice(11, 16) : iso.slice(5, 10);
}
