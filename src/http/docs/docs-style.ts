// The style of the page: navigation beside the text where there is room, above it elsewhere.
import { CONTROLS_STYLE, STYLE } from '../../pages/kit/style.ts';

export const DOCS_STYLE = `${STYLE}${CONTROLS_STYLE}
body { max-width: 76rem; }
.contents p { margin: 1rem 0 0; font-weight: 700; }
.contents ul { margin: 0.25rem 0 1rem; columns: 9rem; }
.contents li { break-inside: avoid; padding: 0.1rem 0; }
.contents a { text-decoration: none; }
.contents a:hover, .contents a:focus-visible { text-decoration: underline; }
.side { margin-top: 1.5rem; }
.columns main { min-width: 0; }
.columns h1 { margin-top: 1.5rem; }
#search-box label { font-weight: 600; }
main [data-searched] { padding-bottom: 0.25rem; }
main h3 { margin-top: 1.5rem; }
.endpoints h3 { padding-top: 1rem; border-top: 1px solid var(--line); }
.endpoints section:first-child h3 { padding-top: 0; border-top: 0; }
.columns code + code { margin-left: 0; }
.columns .names code + code { margin-left: 0.5em; }
.pairs dd { margin-bottom: 0.4rem; }
.pairs dd p { margin: 0; }
.code { position: relative; margin: 0.5rem 0; }
.code pre { margin: 0; padding-right: 4.75rem; }
.code .wide { white-space: pre; overflow-x: auto; }
.code button { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.05rem 0.6rem; background: var(--ground); font-size: 0.85rem; }
details { margin: 0.35rem 0; }
.closed { display: flex; flex-wrap: wrap; gap: 0 1.75rem; }
.closed details[open] { flex-basis: 100%; min-width: 0; }
details > :not(summary) { margin-left: 1.1rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 0.75rem 1.5rem; align-items: start; margin-top: 0.4rem; }
.fields p { margin: 0; }
.fields label { font-weight: 600; }
.fields :is(input, select) { margin-top: 0.15rem; padding: 0.35rem 0.6rem; }
.fields ::placeholder { color: var(--quiet); opacity: 1; }
.fields .hint { display: block; color: var(--quiet); font-size: 0.85rem; }
.answer pre { max-height: 30rem; overflow-y: auto; }
table { border-collapse: collapse; margin: 0.75rem 0; }
th, td { padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td:nth-child(2) { white-space: nowrap; }
.names a { display: inline-block; }
ol { padding-left: 1.4rem; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; margin: 0; padding: 1.5rem 0.5rem 1rem 0; overflow-y: auto; }
  .contents ul { columns: auto; }
  .pairs { display: grid; grid-template-columns: fit-content(17rem) minmax(0, 1fr); gap: 0.3rem 1.5rem; }
  .pairs dt, .pairs dd { margin: 0; }
}
@media (max-width: 59.99rem) {
  html { scroll-padding-top: 4.5rem; }
  .side { display: contents; }
  #search-box:not([hidden]) { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: center; }
  #search-box input { flex: 1; min-width: 0; margin: 0; padding: 0.3rem 0.6rem; }
  #search-box { position: sticky; top: 0; z-index: 1; padding: 0.5rem 0; border-bottom: 1px solid var(--line); background: var(--ground); }
  td, th { padding-right: 0.6rem; }
}
@media print {
  .side, .code button, [data-try] { display: none; }
  .columns { display: block; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  .code .wide { white-space: pre-wrap; }
  pre, tr, dt { break-inside: avoid; }
  h2, h3, h4, summary, dt { break-after: avoid; }
}
`;
