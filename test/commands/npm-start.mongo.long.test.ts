// The real npm starts the system: a signal that ends npm ends every process of the system.
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { quietPort } from '../helpers/quiet-port.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { npmStart, type Started } from './started.ts';

const READY = /npm start goes on where it stopped/;

interface RunningSystem {
  readonly started: Started;
  readonly npm: number;
  /** The processes of node and of mongod. */
  readonly pids: readonly number[];
  readonly ports: readonly number[];
  readonly folder: string;
}

async function running(t: ExecutionContext): Promise<RunningSystem> {
  const folder = join(await temporaryFolder(t), 'data');
  const ports = [await quietPort(), await quietPort()];
  const [port, management] = ports.map(String);
  const env = { DATA_DIR: folder, PORT: port, MANAGEMENT_PORT: management };
  const started = npmStart(['--empty'], env);
  const npm = started.child.pid ?? 0;
  let pids: number[] = [];
  t.teardown(async () => {
    for (const pid of [-npm, ...pids]) kill(pid, 'SIGKILL');
    await started.ended;
  });
  await started.printed(READY);
  const { pid: node } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8'));
  const lastRun = JSON.parse(await readFile(join(folder, 'mongo', 'last-run.json'), 'utf8'));
  pids = [node, lastRun.pid];
  for (const pid of pids) t.true(kill(pid, 0), `process ${pid} runs`);
  for (const one of [...ports, lastRun.port]) t.true(await accepts(one), `port ${one} is open`);
  return { started, npm, pids, ports: [...ports, lastRun.port], folder };
}

async function endsWhole(t: ExecutionContext, system: RunningSystem): Promise<void> {
  const { out } = await system.started.ended;
  for (const pid of system.pids) while (kill(pid, 0)) await sleep(20);
  for (const port of system.ports) t.false(await accepts(port), `port ${port} is closed`);
  t.is(out.match(/^Stopping$/gm)?.length, 1);
  // The end was orderly: it left nothing for the next start to clean up.
  await t.throwsAsync(readFile(join(system.folder, 'endpoint.json')), { code: 'ENOENT' });
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

test.serial("SIGTERM to npm's process ends node and mongod, and frees the ports", async t => {
  const system = await running(t);
  process.kill(system.npm, 'SIGTERM');
  await endsWhole(t, system);
});

test.serial(
  'Ctrl+C, which a terminal sends to the whole process group, ends the system in order',
  async t => {
    const system = await running(t);
    process.kill(-system.npm, 'SIGINT');
    await endsWhole(t, system);
  },
);
