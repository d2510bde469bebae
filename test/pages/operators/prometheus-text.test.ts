// The parser of metrics that other tests use refuses whatever Prometheus would refuse.
import test from 'ava';
import { parsePrometheus, sampleValue } from './prometheus-text.ts';

const HEAD = '# HELP a_total Words\n# TYPE a_total counter\n';
const HISTOGRAM = '# HELP h Words\n# TYPE h histogram\n';

test('samples have their labels', t => {
  const families = parsePrometheus(`${HEAD}a_total{x="1",y="\\"\\\\\\n"} 2.5e-7\na_total 3\n`);
  t.is(sampleValue(families, 'a_total', { y: '"\\\n', x: '1' }), 2.5e-7);
  t.is(sampleValue(families, 'a_total'), 3);
  t.is(sampleValue(families, 'a_total', { x: '2' }), undefined);
});

for (const [why, text] of [
  ['no line feed at the end', `${HEAD}a_total 1`],
  ['a sample without a type', 'a_total 1\n'],
  ['a sample below another type', `${HEAD}b_total 1\n`],
  ['a type without help', '# TYPE a_total counter\na_total 1\n'],
  ['a type twice', `${HEAD}${HEAD}`],
  ['a sample twice', `${HEAD}a_total 1\na_total 2\n`],
  ['a label twice', `${HEAD}a_total{x="1",x="2"} 1\n`],
  ['a bad name', `${HEAD}a-total 1\n`],
  ['an open label', `${HEAD}a_total{x="1} 1\n`],
  ['a value that is none', `${HEAD}a_total one\n`],
  ['a value with a time after it', `${HEAD}a_total 1 1700000000\n`],
  ['buckets that shrink', `${HISTOGRAM}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\n`],
  ['a count beside its buckets', `${HISTOGRAM}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
] as const) {
  test(`an invalid text is refused: ${why}`, t => {
    t.throws(() => parsePrometheus(text));
  });
}
