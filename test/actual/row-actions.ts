// Random actions on the transactions of a budget in Actual.
import type { Leg, Transaction } from './engine.ts';
import {
  type Action,
  amountOf,
  type Categories,
  categoriesOf,
  categoryFor,
  dateOf,
  nameOf,
  noteOf,
  oneOf,
  openAccounts,
  payeesOf,
  type Scene,
} from './scene.ts';
import { FIRST_DAY } from './span.ts';

const ROWS_MAX = 8;
const LEGS_MAX = 4;

function signed(scene: Scene): number {
  return amountOf(scene) * (scene.random.chance(0.3) ? 10 : -1);
}

/** Rules are off in a new budget, so Actual enters just what is given. */
async function enter(scene: Scene, account: string, rows: readonly object[]): Promise<void> {
  await scene.engine.call('addTransactions', account, rows, { runTransfers: true });
}

/** What every new row has. */
function common(scene: Scene) {
  const { random } = scene;
  const reconciled = random.chance(0.2);
  return {
    date: dateOf(scene),
    cleared: reconciled || random.chance(0.6),
    reconciled,
    ...(random.chance(0.4) ? { notes: noteOf(scene) } : {}),
  };
}

export const enterRows: Action = async scene => {
  const { random } = scene;
  const account = oneOf(scene, await openAccounts(scene));
  if (account === undefined) return;
  const categories = await categoriesOf(scene);
  const { named } = await payeesOf(scene);
  const rows = Array.from({ length: random.between(1, ROWS_MAX) }, () => {
    const amount = signed(scene);
    const known = oneOf(scene, named);
    const payee =
      known !== undefined && random.chance(0.7)
        ? { payee: known.id }
        : random.chance(0.8)
          ? { payee_name: nameOf(scene) }
          : {};
    return {
      ...common(scene),
      ...payee,
      amount,
      category: categoryFor(scene, categories, amount),
    };
  });
  await enter(scene, account.id, rows);
};

export const transfer: Action = async scene => {
  const [from, to] = scene.random.some(await openAccounts(scene), 2);
  const { expenses } = await categoriesOf(scene);
  const { transfers } = await payeesOf(scene);
  const payee = transfers.find(({ transfer_acct }) => transfer_acct === to?.id);
  if (from === undefined || payee === undefined) return;
  const category = scene.random.chance(0.7) ? (oneOf(scene, expenses)?.id ?? null) : null;
  const row = { ...common(scene), amount: signed(scene), payee: payee.id, category };
  await enter(scene, from.id, [row]);
};

async function newLegs(scene: Scene, account: string, categories: Categories) {
  const { random } = scene;
  const { named, transfers } = await payeesOf(scene);
  const toOthers = transfers.filter(({ transfer_acct }) => transfer_acct !== account);
  return Array.from({ length: random.between(2, LEGS_MAX) }, () => {
    const amount = signed(scene);
    const payee = oneOf(scene, random.chance(0.3) ? toOthers : named);
    const isTransfer = payee !== undefined && payee.transfer_acct !== null;
    return {
      amount,
      // The category of a transfer out of the budget is one of expenses.
      category: categoryFor(scene, categories, isTransfer ? -1 : amount),
      ...(payee !== undefined && random.chance(0.5) ? { payee: payee.id } : {}),
      ...(random.chance(0.4) ? { notes: noteOf(scene) } : {}),
    };
  });
}

export const enterSplit: Action = async scene => {
  const { random } = scene;
  const account = oneOf(scene, await openAccounts(scene));
  if (account === undefined) return;
  const subtransactions = await newLegs(scene, account.id, await categoriesOf(scene));
  const sum = subtransactions.reduce((total, { amount }) => total + amount, 0);
  const payee = oneOf(scene, (await payeesOf(scene)).named);
  const row = {
    ...common(scene),
    // Actual keeps a split whose legs do not add up, and shows the rest.
    amount: random.chance(0.1) ? sum - 100 : sum,
    ...(payee !== undefined ? { payee: payee.id } : {}),
    subtransactions,
  };
  await enter(scene, account.id, [row]);
};

/** Returns a whole transaction, or a leg of one. */
async function anyRow(scene: Scene): Promise<Leg | undefined> {
  const rows = await scene.engine.transactions();
  return oneOf(
    scene,
    rows.flatMap(({ subtransactions, ...row }) => [row, ...subtransactions]),
  );
}

export const editRow: Action = async scene => {
  const row = await anyRow(scene);
  if (row === undefined) return;
  await scene.engine.call('updateTransaction', row.id, await changesOf(scene, row));
};

async function changesOf(scene: Scene, row: Leg): Promise<object> {
  const { random } = scene;
  const { named, transfers } = await payeesOf(scene);
  const accounts = await openAccounts(scene);
  const categories = await categoriesOf(scene);
  const changes: readonly (() => object)[] = [
    // The sign stays, because the category may be one of income.
    () => ({ amount: amountOf(scene) * Math.sign(row.amount) }),
    () => (row.date === FIRST_DAY ? {} : { date: dateOf(scene) }),
    () => (row.is_parent ? {} : { category: categoryFor(scene, categories, row.amount) }),
    () => ({ notes: random.chance(0.2) ? null : noteOf(scene) }),
    () => ({ payee: random.chance(0.2) ? null : (oneOf(scene, named)?.id ?? null) }),
    () => ({ payee: oneOf(scene, transfers)?.id ?? null }),
    () => ({ account: oneOf(scene, accounts)?.id ?? row.account }),
    () => ({ cleared: !row.cleared }),
    () => ({ cleared: true, reconciled: !row.reconciled }),
  ];
  const chosen = random.some(changes, random.between(1, 2));
  return Object.assign({}, ...chosen.map(change => change()));
}

export const splitRow: Action = async scene => {
  const isPlain = ({ is_parent }: Transaction) => !is_parent;
  const row = oneOf(scene, (await scene.engine.transactions()).filter(isPlain));
  if (row === undefined) return;
  const subtransactions = await newLegs(scene, row.account, await categoriesOf(scene));
  await scene.engine.call('updateTransaction', row.id, { subtransactions });
};

export const deleteRow: Action = async scene => {
  const row = await anyRow(scene);
  if (row !== undefined) await scene.engine.call('deleteTransaction', row.id);
};
