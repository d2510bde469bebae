// Random actions on the groups and categories of a budget in Actual.
import type { Category } from './engine.ts';
import {
  type Action,
  categoriesOf,
  expenseGroups,
  nameOf,
  noteOf,
  oneOf,
  type Scene,
} from './scene.ts';

export const addGroup: Action = scene =>
  scene.engine.create('CategoryGroup', { name: nameOf(scene) });

export const addCategory: Action = async scene => {
  const { engine, random } = scene;
  const groups = await engine.groups();
  const isIncome = random.chance(0.1);
  const group = oneOf(
    scene,
    groups.filter(({ is_income }) => is_income === isIncome),
  );
  if (group === undefined) return;
  const hidden = random.chance(0.1);
  const category = { name: nameOf(scene), group_id: group.id, is_income: isIncome, hidden };
  await engine.create('Category', category);
};

/** Actual expects all fields of a changed category. */
async function change(scene: Scene, category: Category, fields: Partial<Category>) {
  const { id, ...rest } = category;
  await scene.engine.call('updateCategory', id, { ...rest, ...fields });
}

async function anyCategory(scene: Scene): Promise<Category | undefined> {
  const { expenses, incomes } = await categoriesOf(scene);
  return oneOf(scene, [...expenses, ...incomes]);
}

export const renameCategory: Action = async scene => {
  const category = await anyCategory(scene);
  if (category !== undefined) await change(scene, category, { name: nameOf(scene) });
};

export const hideCategory: Action = async scene => {
  const category = await anyCategory(scene);
  if (category !== undefined) await change(scene, category, { hidden: !category.hidden });
};

export const moveCategory: Action = async scene => {
  const { expenses } = await categoriesOf(scene);
  const category = oneOf(scene, expenses);
  const group = oneOf(scene, await expenseGroups(scene));
  if (category === undefined || group === undefined) return;
  const others = group.categories.filter(({ id }) => id !== category.id);
  const targetId = oneOf(scene, [null, ...others.map(({ id }) => id)]) ?? null;
  await scene.engine.send('category-move', { id: category.id, groupId: group.id, targetId });
};

export const noteCategory: Action = async scene => {
  const category = await anyCategory(scene);
  const note = scene.random.chance(0.2) ? '' : noteOf(scene);
  if (category !== undefined) await scene.engine.call('updateNote', category.id, note);
};

/** Its rows and amounts go to another category, or stay behind without one. */
export const deleteCategory: Action = async scene => {
  const { expenses, incomes } = await categoriesOf(scene);
  const [category, other] = scene.random.some(scene.random.chance(0.85) ? expenses : incomes, 2);
  if (category === undefined || other === undefined) return;
  const target = scene.random.chance(0.6) ? other.id : undefined;
  await scene.engine.call('deleteCategory', category.id, target);
};

export const renameGroup: Action = async scene => {
  const group = oneOf(scene, await expenseGroups(scene));
  if (group === undefined) return;
  const { id, is_income, hidden } = group;
  await scene.engine.call('updateCategoryGroup', id, { name: nameOf(scene), is_income, hidden });
};

export const hideGroup: Action = async scene => {
  const group = oneOf(scene, await expenseGroups(scene));
  if (group === undefined) return;
  const { id, name, is_income, hidden } = group;
  await scene.engine.call('updateCategoryGroup', id, { name, is_income, hidden: !hidden });
};

export const moveGroup: Action = async scene => {
  const [group, target] = scene.random.some(await expenseGroups(scene), 2);
  if (group === undefined || target === undefined) return;
  await scene.engine.send('category-group-move', { id: group.id, targetId: target.id });
};

export const deleteGroup: Action = async scene => {
  const [group, ...others] = scene.random.some(await expenseGroups(scene), 3);
  const target = oneOf(
    scene,
    others.flatMap(({ categories }) => categories),
  );
  if (group === undefined || target === undefined) return;
  const targetId = scene.random.chance(0.6) ? target.id : undefined;
  await scene.engine.call('deleteCategoryGroup', group.id, targetId);
};
