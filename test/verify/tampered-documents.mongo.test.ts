// Verification finds every manual change to the documents of a set: removed, added, altered, or without a set.
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import { test } from '../helpers/file-test.ts';
import { altered, createTamperScene, missedOf, type TamperScene } from './tamper-scene.ts';

let scene: TamperScene;
test.before(async () => {
  scene = await createTamperScene();
});
test.after.always(() => scene?.stop());

test.serial('the read model agrees with the log, and every collection has documents', async t => {
  const report = await scene.verify();
  t.deepEqual(report.named, []);
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

for (const name of DOCUMENT_KINDS) {
  test.serial(
    `${name}: removed and added documents are found, and those of an orphan set or of no set`,
    async t => {
      const [sample] = await scene.collections[name].find({}).limit(1).toArray();
      if (!sample) throw new Error(`Expected a document in ${name}`);
      const { _id, set, id } = sample;
      const own = String(_id).slice(String(set).length + 1);
      const added = [
        { ...sample, _id: `${set}/invented` },
        { ...sample, set: '0-99', _id: `0-99/${id}` },
        { ...sample, set: null, _id: 'nowhere' },
      ];
      const missed = await missedOf(scene, [
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
      ]);
      t.deepEqual(missed, []);
    },
  );

  test.serial(`${name}: every altered or removed field is found`, async t => {
    const [sample] = await scene.collections[name].find({}).limit(1).toArray();
    if (!sample) throw new Error(`Expected a document in ${name}`);
    const { _id, set, id: __, ...fields } = sample;
    const own = String(_id).slice(String(set).length + 1);
    const names = Object.keys(fields);
    const difference = (field: string) => new RegExp(`: ${name}/${own}[ .]${field}\\b`);
    const alteredFields = Object.fromEntries(names.map(field => [field, altered(sample[field])]));
    const change = (update: object) => (collections: typeof scene.collections) =>
      collections[name].updateOne({ _id }, update);
    const more = {
      kind: 'added',
      tamper: change({ $set: { more: 1 } }),
      difference: difference('more'),
    };
    const alterings = names.map(field => ({
      kind: `${field} altered`,
      tamper: change({ $set: { [field]: alteredFields[field] } }),
      difference: difference(field),
    }));
    t.deepEqual(await missedOf(scene, [...alterings, more]), []);
    const removals = names
      // A null field may be absent.
      .filter(field => sample[field] !== null)
      .map(field => ({
        kind: `${field} removed`,
        tamper: change({ $unset: { [field]: '' } }),
        difference: difference(field),
      }));
    t.deepEqual(await missedOf(scene, removals), []);
  });

  test.serial(`${name}: a document moved to another set is found`, async t => {
    const { _id } = (await scene.collections[name].findOne({})) ?? { _id: '' };
    const missed = await missedOf(scene, [
      {
        kind: 'set altered',
        tamper: collections => collections[name].updateOne({ _id }, { $set: { set: '0-98' } }),
        difference: new RegExp(`^${name} of set 0-98`),
      },
    ]);
    t.deepEqual(missed, []);
  });
}
