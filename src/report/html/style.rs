//! How a report looks: on a phone, on paper, light and dark.

/// The style sheet. `--ink`, `--faint` and `--band` are used by the pictures too.
pub const SHEET: &str = "\
:root { --ink: #1d2329; --faint: #c9ced4; --band: #e4efe4; --paper: #ffffff; --soft: #f3f5f7; --link: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --faint: #4a5159; --band: #23382a; --paper: #16191d; --soft: #22262b; --link: #56b4e9; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.2rem 1rem 3rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--faint); }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
.game { margin: 0; font-size: .85rem; letter-spacing: .04em; opacity: .75; }
.answer { background: var(--soft); border-left: 4px solid var(--link); padding: .7rem .9rem; margin: .7rem 0; }
.answer p, .answer h3 { margin: .25rem 0; }
.note { font-size: .88rem; opacity: .85; }
figure { margin: .8rem 0; }
figure svg { display: block; width: 100%; max-width: 40rem; height: auto; }
figcaption { font-size: .88rem; opacity: .85; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap; }
th { text-align: right; font-weight: 600; }
th.word, td.word { text-align: left; white-space: normal; min-width: 6rem; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; }
code { font: .85em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--soft);
  padding: .1rem .3rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .3rem .9rem; margin: .5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print {
  :root { --ink: #000; --faint: #bbb; --band: #e8e8e8; --paper: #fff; --soft: #f4f4f4; --link: #000; }
  main { max-width: none; } details > * { display: block; } figure, table { break-inside: avoid; }
}
";
