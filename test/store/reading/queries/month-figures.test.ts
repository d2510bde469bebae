// The arithmetic of rules/months.md#closed-form on increments; test/projections/months.test.ts has the worked example.
import test from 'ava';
import {
  type FigureIncrements,
  monthFigures,
  type YearFigures,
} from '../../../../src/store/reading/queries/month-figures.ts';

const NO_FIGURES: FigureIncrements = {
  income: 0,
  assigned: 0,
  overspent: 0,
  overspentCount: 0,
  cash: 0,
  uncategorizedCount: 0,
  held: 0,
};
const ZEROS = {
  readyToAssign: 0,
  assigned: 0,
  cashBalance: 0,
  overspentTotal: 0,
  overspentCount: 0,
  uncategorizedCount: 0,
  heldForNextMonth: 0,
};
const NO_START = { income: 0, assigned: 0, overspent: 0, cash: 0 };

/** rules/months.md#worked-example; overspending of Food is what differs with carry-over. */
function worked(overspent: number): YearFigures {
  const january = { income: 200_000, assigned: 80_000, cash: 115_500, held: 20_000 };
  const february = { income: 100_000, assigned: 80_000, cash: 38_500, uncategorizedCount: 1 };
  const overspentCount = overspent === 0 ? 0 : 1;
  return {
    id: '2024',
    start: NO_START,
    months: {
      '01': { ...NO_FIGURES, ...january, overspent, overspentCount },
      '02': { ...NO_FIGURES, ...february },
    },
  };
}

test('Before the first data: all zeros', t => {
  t.deepEqual(monthFigures(null, '0001-01'), ZEROS);
  const later: YearFigures = { ...worked(0), months: { '06': { ...NO_FIGURES, income: 1 } } };
  t.deepEqual(monthFigures(later, '2024-05'), ZEROS);
});

test('After the last data, in its year and in later ones: sums stay, the hold is free again', t => {
  const after = { ...ZEROS, readyToAssign: 135_500, cashBalance: 154_000 };
  for (const month of ['2024-03', '2024-12', '2025-01', '9999-12']) {
    t.deepEqual(monthFigures(worked(-4500), month), after, month);
  }
});

test('Sums of earlier years count; overspending lowers R of the next month, also over the year', t => {
  const year: YearFigures = {
    id: '2025',
    start: { income: 1000, assigned: 300, overspent: -50, cash: 900 },
    months: { '01': { ...NO_FIGURES, income: 10, overspent: -7, overspentCount: 2, cash: -5 } },
  };
  t.deepEqual(monthFigures(year, '2025-01'), {
    ...ZEROS,
    readyToAssign: 1000 - 300 - 50 + 10,
    cashBalance: 895,
    overspentTotal: 7,
    overspentCount: 2,
  });
  t.is(monthFigures(year, '2025-02').readyToAssign, 1000 - 300 - 50 + 10 - 7);
  t.is(monthFigures(year, '2026-02').readyToAssign, 1000 - 300 - 50 + 10 - 7);
});

test('No figure is ever -0', t => {
  for (const figure of Object.values(monthFigures(worked(0), '2024-02'))) t.not(figure, -0);
});
