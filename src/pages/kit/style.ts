// The common style of all pages: light or dark as the browser prefers, one column that fits any width; and the style of
// buttons and fields, for pages that have them.

export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1c2126; --quiet: #505a64; --ground: #ffffff; --raised: #f3f5f7; --line: #d4dae0; --link: #0a58a8; --method: #17663a; --danger: #a4161a; --warm: #8a5300;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e7ebef; --quiet: #aab4be; --ground: #14181c; --raised: #1f252b; --line: #38424c; --link: #7fbcf5; --method: #7ed6a4; --danger: #ff9d9d; --warm: #f0b866; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 56rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0 0 0.5rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2rem 0 0.25rem; }
h4 { margin: 1rem 0 0.25rem; }
p, ul { margin: 0.4rem 0; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
pre { margin: 0.5rem 0; padding: 0.75rem; background: var(--raised); white-space: pre-wrap; }
pre code { font-size: inherit; }
code + code { margin-left: 0.5em; }
dl { margin: 0.25rem 0; }
dt { margin-top: 0.6rem; font-weight: 600; }
dd { margin: 0 0 0 1.25rem; }
summary { cursor: pointer; color: var(--link); }
nav ul { list-style: none; margin: 1rem 0; padding: 0; columns: 16rem; }
.type { font-weight: 400; color: var(--quiet); }
.method { color: var(--method); }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: baseline; justify-content: space-between; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
.bar ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; columns: auto; }
.bar + * { margin-top: 2rem; }
.bar a { text-decoration: none; }
.bar .home { color: var(--text); font-weight: 700; }
.bar a:hover, .bar a:focus-visible { text-decoration: underline; }
.quiet { color: var(--quiet); }
.plain-list { list-style: none; margin: 0; padding: 0; }
.card { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.4rem; }
.card h3 { margin: 0; }
.notice { margin: 1rem 0; padding: 0.75rem 1rem; border-left: 4px solid var(--link); background: var(--raised); }
.notice ul { padding-left: 1.2rem; }
.state { padding: 0.1rem 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.8rem; font-weight: 600; vertical-align: middle; white-space: nowrap; }
.state.active { color: var(--method); }
.names code { display: inline-block; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 0; top: 0; z-index: 1; padding: 0.2rem 0.5rem; background: var(--ground); }
@media print { .skip, nav { display: none; } }
`;

/** For pages that have buttons and fields. */
export const CONTROLS_STYLE = `
:root { --field: #707a84; }
@media (prefers-color-scheme: dark) { :root { --field: #8f9aa5; } }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
button, .button {
  display: inline-block; padding: 0.55rem 1.1rem; border: 1px solid var(--link); border-radius: 0.3rem; background: var(--link); color: var(--ground);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
button[hidden] { display: none; }
button.plain, .button.plain { background: transparent; color: var(--link); }
button:hover, .button:hover { text-decoration: underline; }
button:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: baseline; margin: 1rem 0; }
input:not([type='radio'], [type='checkbox']), select {
  width: 100%; max-width: 28rem; margin-top: 0.35rem; padding: 0.55rem 0.7rem; border: 1px solid var(--field); border-radius: 0.3rem;
  background: var(--ground); color: var(--text); font: inherit;
}
`;
