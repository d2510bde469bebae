// The style of buttons and fields, for pages that have them.

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
