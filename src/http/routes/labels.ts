// GET /labels
import type { LabelsQuery } from '../../../schemas/generated/queries.ts';
import { readNamed } from '../../store/reading/queries/named.ts';
import { ofBudget } from './answer-budget.ts';
import { listPage } from './route.ts';

export const labels = ofBudget<LabelsQuery>({
  async read({ reading, reached: { set }, query }) {
    const rows = await readNamed(reading, { kind: 'labels', set }, query);
    return listPage(query, 'labels', rows);
  },
});
