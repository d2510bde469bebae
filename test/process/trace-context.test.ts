// `traceparent`: the ids of a trace (W3C Trace Context, section 3.2).
import test from 'ava';
import { traceIdsOf } from '../../src/process/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a valid traceparent has the ids of its trace and span', t => {
  const ids = { traceId: TRACE, spanId: SPAN };
  t.deepEqual(traceIdsOf(`00-${TRACE}-${SPAN}-01`), ids);
  t.deepEqual(traceIdsOf(`00-${TRACE}-${SPAN}-00`), ids);
  t.deepEqual(traceIdsOf(`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`), ids);
});

for (const [title, value] of [
  ['none', undefined],
  ['a number', 7],
  ['an empty text', ''],
  ['a version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
  ['more fields in version 00', `00-${TRACE}-${SPAN}-01-more`],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['zeros as trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['zeros as span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['a line break', `00-${TRACE}-${SPAN}-01\n`],
  ['a very long text', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(256)}`],
] as const) {
  test(`${title} has no ids`, t => t.deepEqual(traceIdsOf(value), {}));
}
