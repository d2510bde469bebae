// The style sheet of the settings pages, which is the common style with additions for forms and lists, and the script
// of the form that makes a token.
import { CONTROLS_STYLE, STYLE } from '../kit/style.ts';

export const SETTINGS_STYLE = `${STYLE}${CONTROLS_STYLE}
.bar form { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
.hint { color: var(--quiet); }
button.danger { border-color: var(--danger); background: var(--danger); }
.button.danger { border-color: var(--danger); background: transparent; color: var(--danger); }
form > *, .field { margin: 1.25rem 0; }
.bar form > * { margin: 0; }
.bar button { padding: 0.2rem 0.7rem; }
.field label, legend { font-weight: 600; }
.field label, .hint, .problem { display: block; }
legend { padding: 0; }
fieldset { margin: 1.75rem 0; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.3rem 0; }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; transform: translateY(0.15rem); accent-color: var(--link); }
.boxes { margin-left: 1.7rem; columns: 18rem; }
.boxes .choice { break-inside: avoid; }
.problem { color: var(--danger); font-weight: 600; }
.notice.bad { border-color: var(--danger); }
.card dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.5rem 1.5rem; margin: 0.75rem 0; }
.card dt { margin: 0; color: var(--quiet); font-weight: 400; }
.card dd { margin: 0; }
.state.expired { color: var(--warm); }
.state.revoked { color: var(--danger); }
.value code, .copied code { user-select: all; }
.budgets li { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0.25rem 1.5rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.copied { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
button.small { padding: 0.1rem 0.6rem; font-size: 0.85rem; }
table { width: 100%; margin: 1rem 0; border-collapse: collapse; table-layout: fixed; overflow-wrap: break-word; }
th:first-child, th:last-child { width: 26%; }
th:nth-child(2) { width: 20%; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
@media (max-width: 30rem) { .boxes { margin-left: 0.5rem; } table { font-size: 0.85rem; } th, td { padding-right: 0.5rem; } }
`;

/**
 * A tick in a list also chooses “Only what is ticked”. Without it the person chooses that, and a form that contradicts
 * itself is refused.
 */
export const CHOOSE_SCRIPT = `'use strict';
for (const fieldset of document.querySelectorAll('fieldset')) {
  fieldset.addEventListener('change', ({ target }) => {
    if (target.type !== 'checkbox' || !target.checked) return;
    fieldset.querySelector('input[type="radio"][value="picked"]').checked = true;
  });
}
`;
