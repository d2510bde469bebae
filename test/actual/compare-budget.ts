// Compares one random budget: made in Actual and imported, then changed in Actual and brought up to date.
import type { TestMongo } from '../helpers/mongo.ts';
import { createRandom } from '../histories/random.ts';
import type { Engine } from './engine.ts';
import { engineFigures } from './engine-figures.ts';
import { differencesOf } from './figures.ts';
import { ourFigures } from './our-figures.ts';
import { NEW_BUDGET, openProduct, type Product } from './product.ts';
import { changeBudget, makeBudget } from './random-budget.ts';
import { NOW, TODAY } from './span.ts';

export interface Compared {
  /** Figures that were compared, in both halves. */
  readonly figures: number;
  readonly differences: readonly string[];
}

/** Actions in Actual that make the budget, and that change it afterwards. */
const SIZES = { making: [40, 90], changing: [15, 45] } as const;

export async function compareBudget(
  engine: Engine,
  mongo: TestMongo,
  seed: number,
): Promise<Compared> {
  const random = createRandom(seed);
  const scene = { engine, random };
  const product = await openProduct(mongo, 'actual');
  try {
    await engine.createBudget(`Budget ${seed}`, { seed, now: NOW });
    await makeBudget(scene, random.between(...SIZES.making));
    const made = await engine.exportAndReopen();
    const budgetId = await product.importFile(made, NEW_BUDGET);
    const before = await compare(engine, product, budgetId);
    await changeBudget(scene, random.between(...SIZES.changing));
    const changed = await engine.exportAndReopen();
    await product.importFile(changed, ['--into', budgetId]);
    await product.importAgain(changed, budgetId);
    const after = await compare(engine, product, budgetId);
    return {
      figures: before.figures + after.figures,
      differences: [
        ...before.differences.map(line => `as made: ${line}`),
        ...after.differences.map(line => `as changed: ${line}`),
      ],
    };
  } finally {
    await product.stop();
  }
}

async function compare(engine: Engine, product: Product, budgetId: string): Promise<Compared> {
  const actual = await engineFigures(engine, TODAY);
  const ours = await ourFigures(product.reader(budgetId), await engine.months());
  return { figures: actual.size, differences: differencesOf(actual, ours) };
}
