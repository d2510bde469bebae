// Every way in which an event contradicts earlier ones (rules/events.md#contradictions) parks it with this reason and
// changes nothing.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { REFUSAL_CASES } from '../model/refusal-cases.ts';
import { payee, row, transfer } from '../model/scene.ts';
import { CREATED, createStory, FURNISHED } from './story.ts';

for (const [title, cases] of REFUSAL_CASES) {
  test(`invalid: ${title}`, t => {
    for (const [, reason, ...drafts] of cases) {
      for (const draft of drafts) {
        t.is(createStory(FURNISHED).refuse(draft), reason, draft.type);
      }
    }
  });
}

test('an event about deleted things is invalid', t => {
  const story = createStory([
    ...FURNISHED,
    { type: 'account.deleted', data: { accountId: 'cash' } },
    { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
  ]);
  t.is(story.refuse(transfer('new', ['home', 'cash'])), 'Unknown or deleted account cash');
  const merged = createStory([...FURNISHED, { type: 'payee.deleted', data: { payeeId: 'shop' } }]);
  t.is(merged.refuse(row('new', { payeeId: 'shop' })), 'Unknown or deleted payee shop');
});

test('any event before budget.created, and before space.created, is invalid', t => {
  const before = (draft: Draft) => createStory().refuse(draft);
  t.is(before(payee('shop')), 'payee.added came before budget.created');
  t.is(before({ type: 'budget.deleted', data: {} }), 'budget.deleted came before budget.created');
  const remove = { type: 'space.member-removed', data: { userId: 'ann' } } as const;
  t.is(before(remove), 'space.member-removed came before space.created');
});

test('a second space.created is invalid, and so is a budget event in the stream of a space', t => {
  const create = { type: 'space.created', data: { name: 'x' } } as const;
  t.is(createStory([create], 'space-1').refuse(create), 'The space is created already');
  t.is(createStory([create], 'space-1').refuse(CREATED), 'The stream is that of a space');
  const reason = createStory([create], 'space-1').refuse(payee('shop'));
  t.is(reason, 'payee.added came before budget.created');
});
