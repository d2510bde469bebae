// Questions about things by their names, and about single transactions, with the answers of the model.
import type { Random } from '../histories/random.ts';
import type { Answers } from '../model/answers.ts';
import type { Question } from './over-time.ts';

const ROWS = 4;

export function namesAndRows(answers: Answers, budget: string, random: Random): Question[] {
  const { accounts = [] } = answers.accounts(budget) ?? {};
  const { payees = [] } = answers.payees(budget) ?? {};
  const { labels = [] } = answers.labels(budget) ?? {};
  const { categoryGroups = [] } = answers.categories(budget, { include_hidden: true }) ?? {};
  const categories = categoryGroups.flatMap(group => group.categories);
  const include_hidden = random.chance(0.5);
  const byName = [accounts, payees, labels, categories].map(things => ({
    name: varied(random.pick([...things, ...categoryGroups, { name: 'Nobody' }]).name, random),
  }));
  const [account = {}, payee = {}, label = {}, category = {}] = byName;
  const hidden = { ...category, include_hidden };
  const page = { limit: random.between(1, 3), offset: random.below(2) };
  const rows = answers.transactions(budget)?.transactions ?? [];
  const ids = Array.from({ length: ROWS }, () => random.pick([...rows, { id: '..x' }]).id);
  return [
    ['/accounts', account, answers.accounts(budget, account)],
    ['/payees', payee, answers.payees(budget, payee)],
    ['/payees', { ...payee, ...page }, answers.payees(budget, { ...payee, ...page })],
    ['/labels', label, answers.labels(budget, label)],
    ['/categories', hidden, answers.categories(budget, hidden)],
    ['/categories', { ...hidden, ...page }, answers.categories(budget, { ...hidden, ...page })],
    ...ids.map(id => [`/transactions/${id}`, {}, answers.transaction(budget, id)] as const),
  ];
}

/** Returns the name, or another one that mostly has the same name key, or a part of it. */
function varied(name: string, random: Random): string {
  const [first = ''] = name;
  const forms = ['NFD', 'NFC'].map(form => name.normalize(form));
  const cases = [name.toUpperCase(), name.toLowerCase()];
  return random.pick([name, first, ...forms, ...cases].filter(fits));
}

function fits(name: string): boolean {
  return name !== '' && [...name].length <= 200;
}
