// Random actions on the accounts and payees of a budget in Actual.
import {
  type Action,
  amountOf,
  categoriesOf,
  nameOf,
  oneOf,
  openAccounts,
  payeesOf,
} from './scene.ts';

const DELETED_SHARE_MAX = 0.15;
const ACCOUNTS_MIN = 3;

export const openAccount: Action = async scene => {
  const { engine, random } = scene;
  const balance = random.chance(0.6) ? amountOf(scene) * random.pick([10, -3]) : 0;
  await engine.create('Account', { name: nameOf(scene), offbudget: random.chance(0.3) }, balance);
};

/** The balance goes to another account, with a category where it leaves the budget. */
export const closeAccount: Action = async scene => {
  const { engine, random } = scene;
  const [closing, other, ...more] = random.some(await openAccounts(scene), 3);
  if (closing === undefined || other === undefined || more.length === 0) return;
  const { expenses } = await categoriesOf(scene);
  const category = closing.offbudget === other.offbudget ? undefined : oneOf(scene, expenses)?.id;
  await engine.call('closeAccount', closing.id, other.id, category);
};

export const reopenAccount: Action = async scene => {
  const closed = oneOf(
    scene,
    (await scene.engine.accounts()).filter(one => one.closed),
  );
  if (closed !== undefined) await scene.engine.call('reopenAccount', closed.id);
};

/** Deletes an account with few rows: a later export that lacks most rows of a budget is taken for another budget. */
export const deleteAccount: Action = async scene => {
  const { engine } = scene;
  const rows = await engine.transactions();
  const most = rows.length * DELETED_SHARE_MAX;
  const isSmall = (id: string) => rows.filter(({ account }) => account === id).length <= most;
  const open = await openAccounts(scene);
  const account = oneOf(
    scene,
    open.filter(({ id }) => isSmall(id)),
  );
  if (account !== undefined && open.length > ACCOUNTS_MIN) {
    await engine.call('deleteAccount', account.id);
  }
};

export const renameAccount: Action = async scene => {
  const account = oneOf(scene, await scene.engine.accounts());
  if (account !== undefined) {
    await scene.engine.call('updateAccount', account.id, { name: nameOf(scene) });
  }
};

export const moveAccountOffBudget: Action = async scene => {
  const account = oneOf(scene, await openAccounts(scene));
  if (account === undefined) return;
  await scene.engine.call('updateAccount', account.id, { offbudget: !account.offbudget });
};

export const renamePayee: Action = async scene => {
  const payee = oneOf(scene, (await payeesOf(scene)).named);
  if (payee !== undefined) {
    await scene.engine.call('updatePayee', payee.id, { name: nameOf(scene) });
  }
};

export const mergePayees: Action = async scene => {
  const [target, ...merged] = scene.random.some((await payeesOf(scene)).named, 3);
  if (target === undefined || merged.length === 0) return;
  await scene.engine.call(
    'mergePayees',
    target.id,
    merged.map(({ id }) => id),
  );
};

export const deletePayee: Action = async scene => {
  const payee = oneOf(scene, (await payeesOf(scene)).named);
  if (payee !== undefined) await scene.engine.call('deletePayee', payee.id);
};
