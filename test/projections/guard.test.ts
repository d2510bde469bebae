// The money guard (rules/events.md#the-money-guard): exactly 2^51 hundredths are accepted, one more is not.
import test from 'ava';
import { GUARD_CASES, GUARDED, MOVED, REPLACED } from '../model/guard-cases.ts';
import { CREATED, createStory } from './story.ts';

const GIVEN = [CREATED, ...GUARDED];
const MAX = 2 ** 51;
const TOO_MUCH = `would add up to ${MAX + 1} hundredths, more than 2^51`;

for (const { title, given, refused, accountId } of GUARD_CASES) {
  test(`the guard: ${title}`, t => {
    const story = createStory([...GIVEN, ...given]);
    if (accountId === undefined) {
      t.is(story.head().budget?.absolute, MAX);
      t.is(story.refuse(refused), `The amounts of the budget ${TOO_MUCH}`);
    } else {
      t.is(story.document(`accounts ${accountId}`)?.nativeAbsolute, MAX);
      t.is(story.refuse(refused), `The native amounts of account ${accountId} ${TOO_MUCH}`);
    }
  });
}

test('amounts move to the category that replaces theirs, and go with it', t => {
  const story = createStory([...GIVEN, ...REPLACED]);
  t.deepEqual(story.document('categoryMonths wage')?.cells, {
    '2024-01': { assigned: MAX, spent: 0, count: 0 },
  });
  story.tell({
    type: 'category.deleted',
    data: { categoryId: 'wage', replacementCategoryId: null },
  });
  t.is(story.head().budget?.absolute, 0);
});

test('native amounts move with the row to the other account, and go with it', t => {
  const story = createStory([...GIVEN, ...MOVED]);
  t.is(story.document('accounts yen')?.native, MAX);
  story.tell({ type: 'transaction.deleted', data: { transactionId: 'big' } });
  t.is(story.document('accounts yen')?.nativeAbsolute, 0);
});
