// What a person with very many budgets and tokens gets: pages of a bounded size, and a form that says what is too much.
import test from 'ava';
import type { OwnToken } from '../../../src/access/own-tokens.ts';
import { renderList } from '../../../src/pages/settings/tokens/list-page.ts';
import { checkDraft, type TokenDraft } from '../../../src/pages/settings/tokens/token-draft.ts';

const IDS = Array.from({ length: 1001 }, (_, index) => `b-${index}`);

const TOKEN: OwnToken = {
  ...{ id: 't', last4: 'x7Qd', name: 'Test', owner: 'anna', scopes: ['budgets:read'] },
  ...{ createdAt: new Date(0), expiresAt: new Date('2100-01-01'), lastUsedAt: null },
  ...{ revokedAt: null, budgets: { first: IDS.slice(0, 20), count: 1000 } },
};

test('a token of a thousand budgets names twenty of them', t => {
  const budgets = IDS.map(id => ({ id, name: `Budget ${id}`, details: [] }));
  const tokens = { active: { tokens: [TOKEN], isCut: false }, ended: { tokens: [], isCut: false } };
  const list = { tokens, budgets, events: [], now: new Date(1) };
  const text = renderList(list).html;
  t.true(text.includes('and 980 more'));
  t.regex(text, /Budget b-19/);
  const card = text.slice(text.indexOf('id="token-t"'), text.indexOf('Your budgets'));
  t.is(card.match(/<code>b-/g)?.length, 20);
});

test('more budgets than a token takes are a mistake of the form', t => {
  const draft: TokenDraft = {
    name: 'Test',
    access: 'all',
    scopes: [],
    reach: 'picked',
    budgets: IDS,
    days: 90,
  };
  const checked = checkDraft(draft, 'anna', IDS);
  t.deepEqual(checked, {
    isGood: false,
    problems: { budgets: 'Tick at most 1000 budgets, or choose “All my budgets, later ones too”.' },
  });
  t.true(checkDraft({ ...draft, budgets: IDS.slice(1) }, 'anna', IDS).isGood);
});
