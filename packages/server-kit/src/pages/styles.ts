/** Colors come in pairs, light and dark; the reader's system chooses. */
export const pageStyles = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6fa, #12161d);
  --card: light-dark(#fff, #1b212b);
  --line: light-dark(#d5dce6, #333d4b);
  --text: light-dark(#17202c, #e6ebf2);
  --quiet: light-dark(#51606f, #a3b0bf);
  --accent: light-dark(#2450b5, #8fb2ff);
  --on-accent: light-dark(#fff, #0d1626);
  --good: light-dark(#0d6239, #7fdcab);
  --good-back: light-dark(#dcf5e7, #14382a);
  --bad: light-dark(#a01f2d, #ffa3a9);
  --bad-back: light-dark(#fde6e8, #451d23);
  --waiting: light-dark(#7a4b00, #f5c66a);
  --waiting-back: light-dark(#fdf0d3, #3d2f10);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
a { color: var(--accent); }
:focus-visible, input:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus, #notice:focus { outline: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--card); padding: .5rem 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.quiet, .intro, label, dt, th { color: var(--quiet); }

header, nav[aria-label="Pages"], main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem; padding-top: .9rem; padding-bottom: .6rem; }
.name { display: flex; align-items: center; gap: .5rem; color: var(--text); white-space: nowrap; text-decoration: none; font-weight: 650; font-size: 1.1rem; }
.name b { font-weight: inherit; }
.name span { font-weight: 400; color: var(--quiet); }
nav[aria-label="Pages"] ul { display: flex; gap: .25rem; margin: 0; padding: 0; list-style: none; overflow-x: auto; border-bottom: 1px solid var(--line); }
nav[aria-label="Pages"] a { display: block; padding: .55rem .75rem; color: var(--quiet); text-decoration: none; white-space: nowrap; border-bottom: 3px solid transparent; }
nav[aria-label="Pages"] a:hover { color: var(--text); }
nav[aria-label="Pages"] a:focus-visible { outline-offset: -3px; }
nav[aria-label="Pages"] [aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
main { padding-top: 1.2rem; padding-bottom: 2.5rem; }

h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h1 + div { margin-top: .8rem; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; }
p { margin: 0 0 .7rem; }
.intro { max-width: 46rem; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; overflow-wrap: anywhere; }
pre { margin: 0 0 .7rem; padding: .7rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }
/* One click selects it, to be copied. */
.whole { user-select: all; }
.copyable { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; }
[data-copy] { display: none; }
.script [data-copy] { display: inline-block; }

.card, .scroll, .records, .tiles a { background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.card { padding: 1rem; }
dl { margin: 0; }
dl.card { margin-bottom: 1rem; padding: .6rem 1rem; }
dl > div { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem; padding: .3rem 0; align-items: baseline; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dt { overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .7rem; margin: 1.2rem 0 0; padding: 0; list-style: none; }
/* A row of tiles is as high as its highest. */
.tiles a { display: block; height: 100%; padding: .7rem 1rem; text-decoration: none; color: var(--quiet); }
.tiles a:hover { border-color: var(--accent); }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.2; color: var(--text); font-variant-numeric: tabular-nums; }

button, input, select, textarea { font: inherit; color: inherit; min-height: 2.4rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
button { padding: .3rem .9rem; white-space: nowrap; cursor: pointer; }
button:hover { border-color: var(--accent); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.small { min-height: 1.7rem; padding: .12rem .6rem; font-size: .86rem; }
input, select, textarea { width: 100%; padding: .38rem .6rem; min-width: 0; }
::placeholder { color: var(--quiet); opacity: 1; }
label { display: block; font-size: .9rem; margin-bottom: .15rem; }
form .error { margin: .2rem 0 0; font-size: .9rem; color: var(--bad); overflow-wrap: anywhere; }
[aria-invalid] { border-color: var(--bad); }
form.inline { display: inline-flex; gap: .4rem; align-items: center; margin: 0; }
form.fields { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin: 1rem 0; }
form.fields > div { flex: 1 1 11rem; max-width: 22rem; }
summary { cursor: pointer; padding: .2rem 0; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: flex-start; }

.scroll { position: relative; overflow-x: auto; margin-bottom: .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; padding: .5rem .8rem; vertical-align: baseline; white-space: nowrap; }
th { font-weight: 600; font-size: .85rem; white-space: normal; border-bottom: 1px solid var(--line); }
tr + tr td { border-top: 1px solid var(--line); }
.empty { background: var(--card); border: 1px dashed var(--line); border-radius: 12px; padding: 1.2rem; color: var(--quiet); }

.badge { display: inline-block; padding: .02rem .55rem; border-radius: 99px; font-size: .82rem; font-weight: 600; border: 1px solid var(--line); white-space: nowrap; }
.good, .notice.done { color: var(--good); background: var(--good-back); border-color: transparent; }
.bad, .notice.refused { color: var(--bad); background: var(--bad-back); border-color: transparent; }
.waiting { color: var(--waiting); background: var(--waiting-back); border-color: transparent; }
.notice { padding: .6rem 1rem; border-radius: 10px; font-weight: 600; overflow-wrap: anywhere; }

.records { list-style: none; margin: 0 0 1rem; padding: 0; overflow: hidden; }
.records li { display: flex; align-items: flex-start; }
.records li + li { border-top: 1px solid var(--line); }
.records details { flex: 1; min-width: 0; padding: .3rem 1rem; }
.records details[open] { padding-bottom: 1rem; }
.records summary { list-style-position: outside; padding: .3rem 0; margin-left: .8rem; }
.records summary b, .url { overflow-wrap: anywhere; }
.pager { display: flex; justify-content: center; gap: 1.2rem; margin: 1.4rem 0; }

@media (max-width: 40rem) {
  header { gap: .4rem .5rem; }
  .name { min-height: 2.5rem; }
  /* All of the pages, and buttons that a finger hits. */
  nav[aria-label="Pages"] ul { flex-wrap: wrap; gap: 0; }
  nav[aria-label="Pages"] a { padding: .55rem .5rem; }
  button, button.small, input, select { min-height: 2.5rem; }
  button.small { padding: .3rem .8rem; }
  summary { min-height: 2.5rem; padding-top: .5rem; padding-bottom: .5rem; }
  .records summary { padding-top: .5rem; padding-bottom: .5rem; }
  .pager a { padding: .5rem .8rem; }
  form.fields > div { flex-basis: 100%; max-width: none; }
  dl > div { grid-template-columns: 1fr; gap: 0; }
  .tiles { grid-template-columns: repeat(3, 1fr); }
  .tiles a { padding: .5rem .7rem; font-size: .9rem; }
  /* Each row of a table is a card, with the column's name before each value. */
  table, tbody, tr { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .5rem 0; }
  tr + tr { border-top: 1px solid var(--line); }
  td { display: flow-root; padding: .2rem .8rem .2rem 8.4rem; white-space: normal; overflow-wrap: anywhere; }
  tr + tr td { border-top: 0; }
  td::before { content: attr(data-label); float: left; width: 7.2rem; margin-left: -7.6rem; color: var(--quiet); font-size: .85rem; }
  td[data-label=""] { padding-left: .8rem; }
}
`;
