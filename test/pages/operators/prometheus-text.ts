// A strict parser of Prometheus' text format 0.0.4: anything unknown is an error.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly samples: Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/g;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const SUFFIXES = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: [],
};

/** Returns families by name. Throws at the first line that the format does not allow. */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('Expected a line feed at the end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: readonly [string, string] | null = null;
  let family: Family | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    if (line.startsWith('# HELP ')) {
      const [, name = '', words = ''] = matched(HELP, line);
      help = [name, words];
      family = null;
    } else if (line.startsWith('# TYPE ')) {
      const [, name = '', type] = matched(TYPE, line);
      if (help?.[0] !== name) throw new Error(`Expected the help of ${name} before its type`);
      if (families.has(name)) throw new Error(`Expected ${name} once`);
      family = { name, help: help[1], type: type as Family['type'], samples: [] };
      families.set(name, family);
    } else {
      const sample = sampleOf(line);
      const current = family;
      if (
        !current ||
        !SUFFIXES[current.type].some(suffix => current.name + suffix === sample.name)
      ) {
        throw new Error(`Expected ${sample.name} below its own type`);
      }
      const key = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(key)) throw new Error(`Expected ${key} once`);
      seen.add(key);
      current.samples.push(sample);
    }
  }
  for (const { type, samples } of families.values())
    if (type === 'histogram') checkBuckets(samples);
  return families;
}

function sampleOf(line: string): Sample {
  const [, name = '', labelText = '', value = ''] = matched(SAMPLE, line);
  if (!VALUE.test(value)) throw new Error(`Expected a number, got ${line}`);
  const labels: Record<string, string> = {};
  for (const [, label = '', text = ''] of labelText.matchAll(LABEL)) {
    if (label in labels) throw new Error(`Expected the label ${label} once: ${line}`);
    labels[label] = text.replaceAll(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

/** Checks that buckets ascend and that the last one counts everything. */
function checkBuckets(samples: readonly Sample[]): void {
  const last = new Map<string, Sample>();
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    const before = last.get(key);
    if (sample.name.endsWith('_bucket')) {
      if (le === undefined) throw new Error(`Expected ${sample.name} to have a bound`);
      if (before && before.value > sample.value) throw new Error(`${sample.name} does not grow`);
      last.set(key, sample);
    } else if (sample.name.endsWith('_count')) {
      if (before?.labels.le !== '+Inf' || before.value !== sample.value) {
        throw new Error(`Expected ${sample.name} to be its last bucket, +Inf`);
      }
    }
  }
}

function matched(pattern: RegExp, line: string): RegExpExecArray {
  const match = pattern.exec(line);
  if (!match) throw new Error(`Expected ${pattern}, got ${line}`);
  return match;
}

/** Returns the value of one sample, or undefined without it. */
export function sampleValue(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  const samples = family?.samples ?? [];
  const wanted = JSON.stringify(Object.entries(labels).sort());
  return samples.find(
    sample =>
      sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted,
  )?.value;
}
