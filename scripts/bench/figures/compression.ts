// Compressed answers: against a bare handler that compresses with the same zlib, and against the same answers as they are.
import * as zlib from 'node:zlib';
import { type BareReader, startBareReader } from '../bare.ts';
import { copyRows } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import { alternate, type Goal, type Measured } from '../measured.ts';
import { untilDay, type World } from '../world.ts';

const GZIP = { 'Accept-Encoding': 'gzip' };
const PAGE = '/transactions?budget_id=thousand&limit=1000';
const KEPT = '/categories?budget_id=thousand';
/** Of each measurement of a level. */
const COMPRESSIONS = 20;

type Compressor = (body: Buffer) => Buffer;

export const compressionFigure: BenchFigure = {
  name: 'compression',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    await copyRows(world, 'thousand');
    const bare = await startBareReader(world);
    const measured = [
      await againstBare(bench, { world, bare }, false),
      await againstBare(bench, { world, bare }, true),
      await keptAgainstPlain(bench, world),
      ...(await levels(bench, await fetchPage(world))),
    ];
    await bare.running.stop();
    return measured;
  },
};

/** @param isNew whether each request asks for a page that was not asked for before, so that no kept body is sent */
async function againstBare(
  { sizes }: Bench,
  { world, bare }: { readonly world: World; readonly bare: BareReader },
  isNew: boolean,
): Promise<Measured> {
  const subject = isNew
    ? world.newQuestions(count => PAGE + untilDay(count), { headers: GZIP })
    : world.asked(PAGE, GZIP);
  return {
    what: `GET /transactions, 1000 rows, gzip${isNew ? ', never asked for before' : ''}`,
    against: 'bare find, stringify and the same gzip',
    unit: 'requests/s',
    rounds: await compareLoad(sizes, { url: bare.origin + PAGE, headers: GZIP }, subject),
    goal: isNew ? {} : { ratio: { atLeast: 4 } },
  };
}

async function keptAgainstPlain({ sizes }: Bench, world: World): Promise<Measured> {
  return {
    what: 'GET /categories, kept, gzip',
    against: 'the same as it is',
    unit: 'requests/s',
    rounds: await compareLoad(sizes, world.asked(KEPT), world.asked(KEPT, GZIP)),
    goal: { ratio: { atLeast: 0.9 } },
  };
}

async function fetchPage(world: World): Promise<Buffer> {
  const { url, headers = {} } = world.asked(PAGE);
  return Buffer.from(await (await fetch(String(url), { headers })).arrayBuffer());
}

/** The levels in use, each against the page as it is, and against a lower and a higher one. */
async function levels({ sizes }: Bench, page: Buffer): Promise<Measured[]> {
  const gzip =
    (level: number): Compressor =>
    body =>
      zlib.gzipSync(body, { level });
  const brotli =
    (quality: number): Compressor =>
    body =>
      zlib.brotliCompressSync(body, {
        params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality },
      });
  const used = gzip(3);
  const size = { what: '1000 rows by gzip 3', against: 'as they are', unit: 'bytes' };
  const goal: Goal = { ratio: { atMost: 1 / 6 } };
  const rounds = { subject: [used(page).length], baseline: [page.length] };
  const measured: Measured[] = [{ ...size, rounds, goal }];
  for (const [name, subject, baseline] of [
    ['gzip 3 against 1', used, gzip(1)],
    ['gzip 3 against 6', used, gzip(6)],
    ['brotli 3 against 1', brotli(3), brotli(1)],
    ['brotli 3 against 5', brotli(3), brotli(5)],
  ] as const) {
    const [what = '', against = ''] = name.split(' against ');
    measured.push(
      {
        what: `1000 rows by ${what}`,
        against,
        unit: 'ms',
        rounds: await alternate(sizes.rounds, timeOf(baseline, page), timeOf(subject, page)),
        goal: {},
      },
      {
        what: `1000 rows by ${what}`,
        against,
        unit: 'bytes',
        rounds: { subject: [subject(page).length], baseline: [baseline(page).length] },
        goal: {},
      },
    );
  }
  return measured;
}

function timeOf(compress: Compressor, page: Buffer): () => Promise<number> {
  return async () => {
    const startedAt = performance.now();
    for (let count = 0; count < COMPRESSIONS; count += 1) compress(page);
    return (performance.now() - startedAt) / COMPRESSIONS;
  };
}
