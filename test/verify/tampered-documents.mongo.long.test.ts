// Verification finds every manual change to the documents of a set: removed, added, altered, or without a set.
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import { test } from '../helpers/file-test.ts';
import {
  altered,
  createTamperScene,
  type Everything,
  missedOf,
  type Tampering,
  type TamperScene,
} from './tamper-scene.ts';

type Name = (typeof DOCUMENT_KINDS)[number];

interface Sample {
  readonly _id: string | number;
  readonly set: string;
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** As a difference names it. */
  readonly own: string;
}

let scene: TamperScene;
test.before(async () => {
  scene = await createTamperScene();
});
test.after.always(() => scene?.stop());

test.serial('the read model agrees with the log, and every collection has documents', async t => {
  const report = await scene.verify();
  t.deepEqual(report.named, []);
  t.is(report.differences, 0);
  t.deepEqual(report.damage, []);
  t.is(report.warning, null);
  for (const name of [...DOCUMENT_KINDS, 'waiting', 'quarantine'] as const) {
    t.true((await scene.collections[name].countDocuments()) > 0, name);
  }
  const held = await scene.collections.heads.find({ held: { $ne: null } }).toArray();
  const whys = held.map(({ _id, held: { why } }) => `${_id} ${why}`).sort();
  t.deepEqual(whys, [
    'conflict parked',
    'gap gap',
    'numberless parked',
    'parked parked',
    'waits gap',
  ]);
});

/** A pass of verification names 100 differences, so it takes the changes of a few kinds. */
const FEW_KINDS = 4;

for (let from = 0; from < DOCUMENT_KINDS.length; from += FEW_KINDS) {
  const kinds = DOCUMENT_KINDS.slice(from, from + FEW_KINDS);
  const missed = async (tamperings: (name: Name, sample: Sample) => Tampering[]) => {
    const ofKinds = await Promise.all(
      kinds.map(async name => tamperings(name, await sampleOf(name))),
    );
    return await missedOf(scene, ofKinds.flat());
  };

  test.serial(
    `${kinds.join()}: removed and added documents are found, and those of an orphan set or of no set`,
    async t => t.deepEqual(await missed(otherDocuments), []),
  );

  test.serial(`${kinds.join()}: every altered field is found, and one more`, async t => {
    t.deepEqual(await missed(alteredFields), []);
  });

  test.serial(`${kinds.join()}: every removed field is found`, async t => {
    t.deepEqual(await missed(removedFields), []);
  });

  test.serial(`${kinds.join()}: a document moved to another set is found`, async t => {
    t.deepEqual(await missed(movedDocuments), []);
  });
}

test.serial('a changed sum is reported with both values, and breaks the law too', async t => {
  const year = await scene.collections.years.findOne({ count: { $gt: 0 } });
  const [month = '', increments] = Object.entries<{ cash: number }>(year?.months ?? {})[0] ?? [];
  const cash = increments?.cash ?? Number.NaN;
  const found = await scene.found(({ years }) =>
    years.updateOne({ _id: year?._id ?? '' }, { $inc: { [`months.${month}.cash`]: 1 } }),
  );
  const text = `years/${year?.id} months.${month}.cash: expected ${cash}, stored ${cash + 1}`;
  t.true(found.find(one => one.includes(': years/'))?.endsWith(`: ${text}`), found.join('\n'));
  t.true(
    found.some(one => /^\S+: cash/.test(one)),
    found.join('\n'),
  );
});

async function sampleOf(name: Name): Promise<Sample> {
  const stored = await scene.collections[name].findOne({});
  if (!stored) throw new Error(`Expected a document in ${name}`);
  const { _id, set, id, ...fields } = stored;
  return { _id, set, id, fields, own: String(_id).slice(String(set).length + 1) };
}

function otherDocuments(name: Name, { _id, set, id, fields, own }: Sample): Tampering[] {
  const added = [
    { ...fields, set, id, _id: `${set}/invented` },
    { ...fields, set: '0-99', id, _id: `0-99/${id}` },
    { ...fields, set: null, id, _id: 'nowhere' },
  ];
  return [
    {
      kind: 'removed',
      tamper: collections => collections[name].deleteOne({ _id }),
      difference: new RegExp(`: ${name}/${own}: expected .*, stored nothing$`),
    },
    {
      kind: 'added',
      tamper: collections => collections[name].insertMany(added),
      difference: new RegExp(`: ${name}/invented: expected nothing, stored `),
    },
    {
      kind: 'of an orphan set',
      tamper: async () => {},
      difference: new RegExp(`^${name} of set 0-99, which no head names$`),
    },
    {
      kind: 'of no set',
      tamper: async () => {},
      difference: new RegExp(`^${name} of set null`),
    },
  ];
}

const updating =
  (name: Name, { _id }: Sample, update: object) =>
  (collections: Everything) =>
    collections[name].updateOne({ _id }, update);

const differenceOf = (name: Name, { own }: Sample, field: string) =>
  new RegExp(`: ${name}/${own}[ .]${field}\\b`);

function alteredFields(name: Name, sample: Sample): Tampering[] {
  const more = {
    kind: 'added',
    tamper: updating(name, sample, { $set: { more: 1 } }),
    difference: differenceOf(name, sample, 'more'),
  };
  const alterings = Object.entries(sample.fields).map(([field, value]) => ({
    kind: `${field} altered`,
    tamper: updating(name, sample, { $set: { [field]: altered(value) } }),
    difference: differenceOf(name, sample, field),
  }));
  return [...alterings, more];
}

function removedFields(name: Name, sample: Sample): Tampering[] {
  return (
    Object.entries(sample.fields)
      // A null field may be absent.
      .filter(([, value]) => value !== null)
      .map(([field]) => ({
        kind: `${field} removed`,
        tamper: updating(name, sample, { $unset: { [field]: '' } }),
        difference: differenceOf(name, sample, field),
      }))
  );
}

function movedDocuments(name: Name, sample: Sample): Tampering[] {
  return [
    {
      kind: 'set altered',
      tamper: updating(name, sample, { $set: { set: '0-98' } }),
      difference: new RegExp(`^${name} of set 0-98`),
    },
  ];
}
