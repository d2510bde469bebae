// The bare reader as a baseline: node:http, the driver's find and JSON.stringify, without tokens, limits, checks or
// snapshots; with gzip for a client that accepts it, by the zlib and the level of the product.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MongoClient } from 'mongodb';
import { compress } from '../../../src/http/compress.ts';
import { BARE_DATABASE, type BareRow } from '../bare-data.ts';

const client = await new MongoClient(process.env.MONGODB_URL ?? '').connect();
const database = client.db(BARE_DATABASE);
const rows = database.collection<BareRow>('transactions');
const documents = database.collection<{ _id: string }>('documents');

async function answer(url: URL): Promise<unknown> {
  if (url.pathname !== '/transactions') return await documents.findOne({ _id: url.pathname });
  const budgetId = url.searchParams.get('budget_id') ?? '';
  const limit = Number(url.searchParams.get('limit'));
  const transactions = await rows.find({ budgetId }).sort({ place: -1 }).limit(limit).toArray();
  return {
    transactions,
    pagination: { limit, offset: 0, has_more: transactions.length === limit },
  };
}

const server = createServer((request, response) => {
  answer(new URL(request.url ?? '/', 'http://bare')).then(
    async body => {
      response.setHeader('Content-Type', 'application/json');
      const text = JSON.stringify(body);
      if (request.headers['accept-encoding'] !== 'gzip') return response.end(text);
      response.setHeader('Content-Encoding', 'gzip');
      return response.end(await compress(Buffer.from(text), 'gzip'));
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Bare http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
