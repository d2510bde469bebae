// A program for tests: starts a mongod on a folder and a port, prints its address, and runs until it is killed.
import { startMongod } from '../../src/embedded/mongod.ts';

const [binary = '', folder = '', port] = process.argv.slice(2);
const { url, pid } = await startMongod({ binary, folder, port: Number(port) });
process.stdout.write(`${JSON.stringify({ url, pid })}\n`);
