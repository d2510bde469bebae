// Shows one sentence about the last action. The address only names the sentence; its own text is never shown.
import { parseQuery } from '../../http/query-string.ts';
import { type Html, html } from '../kit/html.ts';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['ended', 'Your session has ended. Nothing was changed. Sign in again to go on.'],
  ['signed-out', 'You are signed out.'],
  ['signed-out-everywhere', 'You are signed out in every browser. Your tokens stay valid.'],
  ['revoked', 'The token is revoked. It is refused from now on.'],
  [
    'repeated',
    'That form was sent before, so nothing was made this time. A token that it made is in the list.',
  ],
]);

export function renderNotice(query: string): Html | null {
  const word = parseQuery(query).find(({ name }) => name === 'notice')?.value ?? '';
  const text = NOTICES.get(word);
  return text === undefined ? null : html`<p class="notice" role="status">${text}</p>`;
}
