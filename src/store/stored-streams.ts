// Reads whole streams for verification: heads, documents and queues, all in one snapshot.
import { createHash } from 'node:crypto';
import { BSON, type Db, type Document } from 'mongodb';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SetDocuments,
} from '../../projections/document-kinds.ts';
import type { Head } from '../../projections/documents.ts';
import {
  documentsOf,
  generationCollections,
  type StoredCheckpoint,
  type StoredQuarantined,
  type StoredQueueEntry,
  sweptQueue,
} from './collections.ts';
import { documentOf, storedDocument } from './document-storage.ts';
import { headOf, type StoredHead } from './heads.ts';
import { inSnapshot, type Reading } from './snapshot.ts';

/** Ids of streams from `from` up to, but not including, `to`; null means unbounded. */
export interface IdRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** Streams of one partition: a range of ids, or the listed ones. */
export interface Selection {
  readonly partition: number;
  readonly streams: IdRange | readonly string[];
}

/** The documents of one set as BSON, by `kind set/id`. As objects they would take more memory. */
export type SetContents = ReadonlyMap<string, Uint8Array>;

export interface StreamsRequest extends Selection {
  /** Streams with more events are left out. */
  readonly eventsMax: number;
}

export interface StoredStreams {
  /** The streams whose head names the partition. */
  readonly heads: ReadonlyMap<string, Head>;
  /** The events of those that were left out. */
  readonly tooLarge: ReadonlyMap<string, number>;
  readonly checkpoint: StoredCheckpoint | null;
  readonly sets: ReadonlyMap<string, SetContents>;
  /** Queue entries by stream and id, each with a digest in place of its value. */
  readonly queues: ReadonlyMap<string, ReadonlyMap<string, StoredQueueEntry>>;
  /** The streams that have a shadow set. */
  readonly shadowSets: ReadonlySet<string>;
  /** Quarantined records of the partition that name a selected stream, by id. */
  readonly quarantined: ReadonlyMap<string, StoredQuarantined>;
}

/** Reading a large budget takes long; beyond this limit a query fails. */
const READ_MS_MAX = 120_000;
/** About 1 MB. By default a reply has up to 16 MB, and is in memory twice while it arrives. */
const DOCUMENTS_PER_REPLY = 2000;

export async function readStoredStreams(
  db: Db,
  generation: string,
  { eventsMax, ...selection }: StreamsRequest,
): Promise<StoredStreams> {
  return await inSnapshot({ db, generation, queryMsMax: READ_MS_MAX }, async reading => {
    const { collections, options } = reading;
    const { partition } = selection;
    const ids = idFilter(selection);
    const found = await collections.heads.find({ ...ids('_id'), partition }, options).toArray();
    // A deleted stream has no documents.
    const fits = ({ sequence, deleted }: StoredHead) => sequence <= eventsMax || deleted;
    const heads = new Map(found.filter(fits).map(head => [head._id, headOf(head)]));
    const tooLarge = found.filter(head => !fits(head));
    const shadowSets = await collections.shadowSets.find(ids('_id'), options).toArray();
    return {
      heads,
      tooLarge: new Map(tooLarge.map(({ _id, sequence }) => [_id, sequence])),
      checkpoint: await collections.checkpoints.findOne({ _id: partition }, options),
      sets: await readSets(reading, [...heads.values()]),
      queues: await readQueues(reading, selection, heads),
      shadowSets: new Set(shadowSets.map(({ _id }) => _id)),
      quarantined: await readQuarantined(reading, selection),
    };
  });
}

function idFilter({ streams }: Selection): (field: string) => Document {
  if (!('from' in streams)) return field => ({ [field]: { $in: streams } });
  const { from, to } = streams;
  const bounds = { ...(from !== null && { $gte: from }), ...(to !== null && { $lt: to }) };
  return field => (Object.keys(bounds).length === 0 ? {} : { [field]: bounds });
}

async function readSets(
  { collections, options }: Reading,
  heads: readonly Head[],
): Promise<Map<string, Map<string, Uint8Array>>> {
  const sets = new Map<string, Map<string, Uint8Array>>();
  for (const { set } of heads) if (set !== null) sets.set(set, new Map());
  if (sets.size === 0) return sets;
  for (const kind of DOCUMENT_KINDS) {
    const collection = documentsOf(collections, kind);
    const filter = { set: { $in: [...sets.keys()] } };
    const bytesOnly = { ...options, raw: true, batchSize: DOCUMENTS_PER_REPLY };
    const found = collection.find<Uint8Array>(filter, bytesOnly);
    for await (const bytes of found) {
      const { _id, set } = storedDocumentOf(bytes);
      sets.get(set)?.set(`${kind} ${_id}`, bytes);
    }
  }
  return sets;
}

async function readQueues(
  { collections, options }: Reading,
  selection: Selection,
  heads: ReadonlyMap<string, Head>,
): Promise<Map<string, Map<string, StoredQueueEntry>>> {
  const queues = new Map<string, Map<string, StoredQueueEntry>>();
  const swept = new Set<string | null>();
  for await (const { _id } of collections.sweeps.find({}, options)) swept.add(sweptQueue(_id));
  for await (const entry of collections.waiting.find(idFilter(selection)('subject'), options)) {
    const head = heads.get(entry.subject);
    if (!head || (head.deleted && swept.has(head.id))) continue;
    const queue = queues.get(entry.subject) ?? new Map<string, StoredQueueEntry>();
    queue.set(entry._id, { ...entry, value: digestOf(entry.value) });
    queues.set(entry.subject, queue);
  }
  return queues;
}

async function readQuarantined(
  { collections, options }: Reading,
  selection: Selection,
): Promise<Map<string, StoredQuarantined>> {
  const quarantined = new Map<string, StoredQuarantined>();
  // By the partition in the id: the field `partition` would miss a record that was moved to another partition.
  const ofPartition = { _id: new RegExp(`^${selection.partition}/`) };
  const filter = { ...ofPartition, ...idFilter(selection)('subject') };
  const found = collections.quarantine.find(filter, options);
  for await (const record of found) quarantined.set(record._id, record);
  return quarantined;
}

/** Returns a digest in place of a queue entry's value: values are large, and may contain private texts. */
export function digestOf(value: string): string {
  return `sha256:${createHash('sha256').update(String(value)).digest('hex').slice(0, 32)}`;
}

/** Returns a stored document from its bytes. */
export function storedDocumentOf(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes);
}

/** Returns a folded document as it would be read from the store, under another set's id. */
export function asStored<K extends DocumentKind>(
  kind: K,
  set: string,
  document: SetDocuments[K],
): Document {
  return BSON.deserialize(BSON.serialize(storedDocument(kind, { ...document, set })));
}

/** Returns the documents of one kind in a set, as the projections know them. */
export function storedOf<K extends DocumentKind>(
  contents: SetContents,
  kind: K,
): SetDocuments[K][] {
  const found: SetDocuments[K][] = [];
  for (const [key, bytes] of contents) {
    if (key.startsWith(`${kind} `)) found.push(documentOf(kind, storedDocumentOf(bytes)));
  }
  return found;
}

/** Returns partition, sequence and deletion of each stream that has a head. */
export async function partitionsOfHeads(
  db: Db,
  generation: string,
  ids: readonly string[],
): Promise<Map<string, Pick<Head, 'partition' | 'sequence' | 'deleted'>>> {
  const { heads } = generationCollections(db, generation);
  const projection = { partition: 1, sequence: 1, deleted: 1 } as const;
  const found = await heads.find({ _id: { $in: [...ids] } }, { projection }).toArray();
  return new Map(found.map(({ _id, ...head }) => [_id, head]));
}
