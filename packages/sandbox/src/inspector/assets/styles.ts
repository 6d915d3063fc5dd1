/** Colors come in pairs, light and dark; the reader's system chooses. */
export const styles = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6fa, #12161d);
  --card: light-dark(#ffffff, #1b212b);
  --line: light-dark(#d5dce6, #333d4b);
  --text: light-dark(#17202c, #e6ebf2);
  --quiet: light-dark(#51606f, #a3b0bf);
  --accent: light-dark(#2450b5, #8fb2ff);
  --on-accent: light-dark(#ffffff, #0d1626);
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
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--card); padding: .5rem 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.quiet { color: var(--quiet); }

header, nav[aria-label="Pages"], main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem; padding-top: .9rem; padding-bottom: .6rem; }
.name { display: flex; align-items: center; gap: .5rem; color: var(--text); text-decoration: none; font-weight: 650; font-size: 1.1rem; }
.name b { font-weight: inherit; }
.name span { font-weight: 400; color: var(--quiet); }
.clock, #clock-now { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .6rem; }
.now { font-variant-numeric: tabular-nums; }
.now abbr { text-decoration: none; color: var(--quiet); }
nav[aria-label="Pages"] ul { display: flex; gap: .25rem; margin: 0; padding: 0; list-style: none; overflow-x: auto; border-bottom: 1px solid var(--line); }
nav[aria-label="Pages"] a { display: block; padding: .55rem .75rem; color: var(--quiet); text-decoration: none; white-space: nowrap; border-bottom: 3px solid transparent; }
nav[aria-label="Pages"] a:hover { color: var(--text); }
nav[aria-label="Pages"] a:focus-visible { outline-offset: -3px; }
nav[aria-label="Pages"] [aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
main { padding-top: 1.2rem; padding-bottom: 2rem; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 1rem; color: var(--quiet); font-size: .9rem; border-top: 1px solid var(--line); padding-top: .6rem; padding-bottom: 1.5rem; }

h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p { margin: 0 0 .7rem; }
.intro { color: var(--quiet); max-width: 46rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; overflow-wrap: anywhere; }
pre { margin: 0 0 .7rem; padding: .7rem; background: var(--page); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
.card h2, .card h3 { margin-top: 0; margin-bottom: .2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
dl { margin: 0; }
dl.card { padding: .6rem 1rem; }
dl > div { display: grid; grid-template-columns: 8rem 1fr; gap: .5rem; padding: .3rem 0; align-items: baseline; }
dl > .copy + .copy { border-top: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; display: flex; justify-content: space-between; align-items: baseline; gap: .5rem; min-width: 0; }
/* Narrow: the value goes under its name. */
.cards dl > div { grid-template-columns: 1fr; gap: 0; }
[data-copy] { display: none; flex: none; }
.script [data-copy] { display: inline-block; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .7rem; margin: 1.4rem 0 0; padding: 0; list-style: none; }
/* A row of tiles is as high as its highest. */
.tiles a { display: block; height: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .7rem 1rem; text-decoration: none; color: var(--quiet); }
.tiles a:hover { border-color: var(--accent); }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.2; color: var(--text); font-variant-numeric: tabular-nums; }

button, input, select, textarea { font: inherit; color: inherit; }
button { min-height: 2.4rem; padding: .3rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
button:hover { border-color: var(--accent); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.small { min-height: 1.7rem; padding: .12rem .6rem; font-size: .86rem; }
input, select { min-height: 2.4rem; }
input, select, textarea { width: 100%; padding: .38rem .6rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
::placeholder { color: var(--quiet); opacity: 1; }
label { display: block; font-size: .9rem; color: var(--quiet); margin-bottom: .15rem; }
form.inline { display: inline-flex; gap: .4rem; align-items: center; margin: 0; }
form.inline select { width: auto; }
form.fields { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin: 1rem 0; }
form.fields > div { flex: 1 1 11rem; max-width: 20rem; }
form.fields > .wide { flex: 3 1 18rem; max-width: 36rem; }
form.fields p { margin: 0 0 .4rem; }
form.stack > details > div { margin-bottom: .6rem; }
form.stack button { margin-top: .6rem; }
/* One opened form must not stretch its neighbours. */
.events { align-items: start; }
.event { display: flex; flex-direction: column; }
.event p { margin-bottom: .3rem; }
.event form { margin-top: auto; }
summary { cursor: pointer; padding: .2rem 0; }

.scroll { position: relative; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin-bottom: .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; padding: .5rem .8rem; vertical-align: baseline; white-space: nowrap; }
td code { white-space: nowrap; }
th { font-weight: 600; color: var(--quiet); font-size: .85rem; border-bottom: 1px solid var(--line); }
tr + tr td { border-top: 1px solid var(--line); }
td:has(form) { text-align: right; }
.empty { background: var(--card); border: 1px dashed var(--line); border-radius: 12px; padding: 1.2rem; color: var(--quiet); }

.badge { display: inline-block; padding: .02rem .55rem; border-radius: 99px; font-size: .82rem; font-weight: 600; border: 1px solid var(--line); white-space: nowrap; }
.good { color: var(--good); background: var(--good-back); border-color: transparent; }
.bad { color: var(--bad); background: var(--bad-back); border-color: transparent; }
.waiting { color: var(--waiting); background: var(--waiting-back); border-color: transparent; }
.notice { padding: .6rem 1rem; border-radius: 10px; font-weight: 600; }
.notice.done { color: var(--good); background: var(--good-back); }
.notice.refused { color: var(--bad); background: var(--bad-back); }

.records { list-style: none; margin: 0 0 1rem; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.records li + li { border-top: 1px solid var(--line); }
.records details { padding: .3rem 1rem; }
.records details[open] { padding-bottom: 1rem; }
.records summary { list-style-position: outside; padding: .3rem 0; margin-left: .8rem; }
.records .url { overflow-wrap: anywhere; }
.records .scroll { margin-top: .5rem; }
.records td code { display: inline-block; min-width: 20rem; white-space: normal; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; }
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
.pager { display: flex; justify-content: center; gap: 1.2rem; margin: 1.4rem 0; }

@media (min-width: 64rem) {
  .split { display: grid; grid-template-columns: 30rem 1fr; gap: 1rem; align-items: start; }
  .split > :first-child { position: sticky; top: 1rem; }
}
@media (max-width: 40rem) {
  dl > div { grid-template-columns: 1fr; gap: 0; }
  header { justify-content: flex-start; gap: .4rem .5rem; font-size: .88rem; }
  .clock, #clock-now { display: contents; }
  .name { flex: 1; }
  .name b { display: none; }
  .map text { font-size: 17px; }
  .tiles { grid-template-columns: repeat(3, 1fr); }
  .tiles a { padding: .5rem .7rem; font-size: .9rem; }
}
`;
