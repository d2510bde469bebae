// A script of the form that makes a token: a tick in a list also chooses “Only what is ticked”. Without it the person
// chooses that, and a form that contradicts itself is refused.

export const CHOOSE_SCRIPT = `'use strict';
for (const fieldset of document.querySelectorAll('fieldset')) {
  fieldset.addEventListener('change', ({ target }) => {
    if (target.type !== 'checkbox' || !target.checked) return;
    fieldset.querySelector('input[type="radio"][value="picked"]').checked = true;
  });
}
`;
