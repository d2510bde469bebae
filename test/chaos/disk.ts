// A disk of one server that can really fill up: a tmpfs in a mount namespace, which ends with this process.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface Disk {
  /** The mount point, for commands that `enter`. */
  readonly folder: string;
  /** A command prefixed with these unshareArgs sees the disk; other processes see an empty folder. */
  readonly enter: readonly string[];
  /** Leaves hardly a byte of space. */
  fill(): Promise<void>;
  free(): Promise<void>;
  stop(): void;
}

const SIZE = '2g';
const MOUNT = `mount -t tmpfs -o size=${SIZE} tmpfs "$1" && echo mounted && exec cat >/dev/null`;
/** The used space may grow between the two commands. */
const SLACK_KB = 64;
const FILL = `mount -o remount,size=$(($(df -k "$1" | tail -n 1 | awk '{print $3}') + ${SLACK_KB}))k "$1"`;
const FREE = `mount -o remount,size=${SIZE} "$1"`;
const TRIES_MAX = 20;

/** Returns null if this machine allows no mounts. */
export async function mountDisk(folder: string): Promise<Disk | null> {
  await mkdir(folder, { recursive: true });
  const unshareArgs = ['--user', '--map-root-user', '--mount', 'sh', '-c', MOUNT, 'sh', folder];
  // The process ends with this one, because `cat` then reaches the end of its input.
  const keeper = spawn('unshare', unshareArgs, { stdio: ['pipe', 'pipe', 'ignore'] });
  if (!(await isMounted(keeper))) return null;
  const target = `--target=${keeper.pid}`;
  const enter = ['nsenter', target, '--user', '--mount', '--preserve-credentials'];
  const run = (script: string) => {
    const [file = '', ...args] = [...enter, 'sh', '-c', script, 'sh', folder];
    return promisify(execFile)(file, args);
  };
  return {
    folder,
    enter,
    async fill() {
      for (let tries = 1; ; tries += 1) {
        try {
          await run(FILL);
          return;
        } catch (error) {
          // More than the slack was written meanwhile.
          if (tries === TRIES_MAX) throw error;
        }
      }
    },
    async free() {
      await run(FREE);
    },
    stop: () => void keeper.kill('SIGKILL'),
  };
}

async function isMounted(keeper: ChildProcess): Promise<boolean> {
  const failed = once(keeper, 'exit').catch(() => {});
  keeper.on('error', () => {});
  const lines = createInterface({ input: keeper.stdout as NodeJS.ReadableStream });
  const first = await Promise.race([once(lines, 'line'), failed, once(keeper, 'error')]);
  return Array.isArray(first) && first[0] === 'mounted';
}
