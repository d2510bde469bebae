// Envelopes and holds: the changes of each event (docs/events.md).
import { type EventCase, MARCH, month, NO_START } from './event-case.ts';

const SPENT = { assigned: 0, spent: -100, count: 1 };

export const ENVELOPE_CASES: readonly EventCase[] = [
  {
    title: 'envelope.assigned sets the whole amount of its month',
    given: [
      { type: 'envelope.assigned', data: { month: '2024-03', categoryId: 'food', amount: '0.40' } },
    ],
    when: {
      type: 'envelope.assigned',
      data: { month: '2024-03', categoryId: 'food', amount: '0.70' },
    },
    changes: {
      'categoryMonths food': { cells: { '2024-03': { ...SPENT, assigned: 70 } } },
      'years 2024': { months: { '03': { ...MARCH, assigned: 70, overspent: -30 } } },
      head: { absolute: 170 },
    },
  },
  {
    title: 'envelope.assigned outside envelope groups is stored and does not count',
    when: {
      type: 'envelope.assigned',
      data: { month: '2024-03', categoryId: 'wage', amount: '-9.00' },
    },
    changes: {
      'categoryMonths wage': {
        cells: { '2024-03': { assigned: -900, spent: 0, count: 0 } },
        carry: {},
      },
      head: { absolute: 1000 },
    },
  },
  {
    title: 'envelope.assigned with zero removes the cell',
    given: [
      { type: 'envelope.assigned', data: { month: '2025-01', categoryId: 'rent', amount: '3.00' } },
    ],
    when: {
      type: 'envelope.assigned',
      data: { month: '2025-01', categoryId: 'rent', amount: '0.00' },
    },
    changes: { 'categoryMonths rent': null, 'years 2025': null, head: { absolute: 100 } },
  },
  {
    title: 'envelope.carryover-set prevents overspending from its month on',
    when: {
      type: 'envelope.carryover-set',
      data: { month: '2024-02', categoryId: 'food', carriesOver: true },
    },
    changes: {
      'categoryMonths food': { carry: { '2024-02': true } },
      'years 2024': { months: { '03': { ...MARCH, overspent: 0, overspentCount: 0 } } },
    },
  },
  {
    title:
      'envelope.carryover-set lasts until the next month that sets it, whatever the order of the events',
    given: [
      {
        type: 'envelope.carryover-set',
        data: { month: '2024-06', categoryId: 'food', carriesOver: false },
      },
    ],
    when: {
      type: 'envelope.carryover-set',
      data: { month: '2024-01', categoryId: 'food', carriesOver: true },
    },
    changes: {
      'categoryMonths food': { carry: { '2024-01': true, '2024-06': false } },
      // The negative amount carried until June is overspent there.
      'years 2024': {
        months: {
          '03': { ...MARCH, overspent: 0, overspentCount: 0 },
          '06': month({ overspent: -100, overspentCount: 1 }),
        },
      },
    },
  },
  {
    title: 'envelope.carryover-set has no effect outside envelope groups',
    when: {
      type: 'envelope.carryover-set',
      data: { month: '2024-02', categoryId: 'tax', carriesOver: true },
    },
    changes: { 'categoryMonths tax': { cells: {}, carry: { '2024-02': true } } },
  },
  {
    title: 'month.held accepts any amount, even more than is ready to assign',
    when: { type: 'month.held', data: { month: '2026-11', amount: '1000.00' } },
    changes: {
      'years 2026': {
        count: 0,
        start: { ...NO_START, overspent: -100, cash: -100 },
        months: { '11': month({ held: 100_000 }) },
      },
      head: { absolute: 100_100 },
    },
  },
  {
    title: 'month.held with zero removes the hold',
    given: [{ type: 'month.held', data: { month: '2026-11', amount: '1000.00' } }],
    when: { type: 'month.held', data: { month: '2026-11', amount: '0.00' } },
    changes: { 'years 2026': null, head: { absolute: 100 } },
  },
];
