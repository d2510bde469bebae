// The large budget that figures share: most of its rows are in one account and one category, so that a page of
// those can be as deep as one of all rows.
import type { Sizes } from './sizes.ts';
import type { World } from './world.ts';

export const LARGE = {
  id: 'large',
  make: (world: World, { largeRows }: Sizes) => world.budget('large', largeRows, { skew: 95 }),
};
