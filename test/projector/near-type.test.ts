// Unknown event types that look like a mistake.
import test from 'ava';
import { nearKnownType } from '../../src/projector/fold/delivery.ts';

for (const [type, known] of [
  ['Transaction.Entered', 'transaction.entered'],
  ['TRANSACTION.ENTERED', 'transaction.entered'],
  ['com.example.transaction.entered', 'transaction.entered'],
  ['https://example.com/events/Budget.Created', 'budget.created'],
  ['urn:events:space.member-added', 'space.member-added'],
  ['invoice.paid', null],
  ['xtransaction.entered', null],
  ['transaction.entered.v2', null],
  [`${'x'.repeat(200)}.transaction.entered`, null],
] as const) {
  test(`${type.slice(0, 60)} is nearly ${known ?? 'nothing'}`, t =>
    t.is(nearKnownType(type), known));
}
