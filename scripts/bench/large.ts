// The large budget that figures share. Most of its rows are in one account and one category and have one payee, so
// that pages filtered by those can be as deep as pages of all rows.
import type { Sizes } from './sizes.ts';
import type { World } from './world.ts';

export const LARGE = {
  id: 'large',
  make: (world: World, { largeRows }: Sizes) => world.budget('large', largeRows, { skew: 95 }),
};
