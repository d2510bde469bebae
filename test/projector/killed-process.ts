// A process that locks the registry, a checkpoint and the head of a stream in a transaction, as commands and switches do, and
// then stands still.
import { MongoClient } from 'mongodb';
import { generationCollections } from '../../src/store/collections.ts';
import { loadHead } from '../../src/store/heads.ts';
import { lockRegistry } from '../../src/store/registry.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';

const [url = '', database = '', generation = '', subject = ''] = process.argv.slice(2);
const client = new MongoClient(url);
const db = client.db(database);
const collections = generationCollections(db, generation);
const head = await loadHead(collections.heads, subject);
if (!head) throw new Error('Expected a head, got none');
await openCommitSession(client, collections, false).commit({
  ...NO_WRITES,
  heads: [{ loaded: head, now: { ...head, sequence: 99 } }],
  async also(session) {
    await lockRegistry(db, session);
    // As a switch does.
    await collections.checkpoints.updateOne({}, { $set: { heldUntil: new Date() } }, { session });
    console.log('locked');
    await new Promise(() => setInterval(() => {}, 1000));
  },
});
