// The simulated world: which step comes next, and what goes wrong with it. Everything follows from the seed.
import { createRandom, type Random } from '../../src/process/random.ts';
import type { Faults } from './planted.ts';
import { type SimStore, serverError } from './sim-store.ts';

type OpKind = 'read' | 'write' | 'commit' | 'claim';

/** A process, from its start to its end. */
export interface Life {
  readonly number: number;
  /** A killed process executes nothing more. */
  isAlive: boolean;
}

interface Pending {
  readonly life: Life;
  readonly session: number;
  readonly kind: OpKind;
  readonly act: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** How often things go wrong, from 0 to 1; each seed chooses its own mix. */
export interface Troubles {
  readonly fail: number;
  readonly unknown: number;
  readonly late: number;
  readonly kill: number;
  readonly stepDown: number;
  readonly hold: number;
}

const NO_TROUBLE: Troubles = { fail: 0, unknown: 0, late: 0, kill: 0, stepDown: 0, hold: 0 };

export class World {
  readonly random: Random;
  readonly store: SimStore;
  readonly faults: Faults;
  /** What the run reached, and how often. */
  readonly reached = new Map<string, number>();
  /** A hash over all steps: two runs with the same one went the same way. */
  trace = 0;
  troubles: Troubles;
  failure: unknown;
  #pending: Pending[] = [];

  constructor(seed: number, store: SimStore, faults: Faults) {
    this.random = createRandom(Math.imul(seed, 0x9e3779b1));
    this.store = store;
    this.faults = faults;
    const { random } = this;
    // What a planted fault breaks shows only where something else goes wrong.
    const isRough = faults.size > 0;
    const often = (most: number) => (isRough || random.chance(0.5) ? random.next() * most : 0);
    this.troubles = {
      fail: often(0.1),
      unknown: often(0.2),
      late: often(0.2),
      kill: often(0.02),
      stepDown: often(0.02),
      hold: often(0.005),
    };
  }

  reach(what: string): void {
    this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
  }

  note(number: number): void {
    this.trace = (Math.imul(this.trace, 31) + number) | 0;
  }

  /** Work failed that must not fail. */
  fail(error: unknown): void {
    this.failure ??= error;
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    this.troubles = NO_TROUBLE;
  }

  get isWaiting(): boolean {
    return this.#pending.length > 0;
  }

  /** Returns the commands of a session of a process. */
  opsOf(life: Life, session: number) {
    return <T>(kind: OpKind, act: () => T): Promise<T> => {
      // Most reads come at once: what happens between two of them matters, but not between all.
      if (kind === 'read' && life.isAlive && this.random.chance(0.6)) {
        return new Promise(resolve => resolve(act()));
      }
      return new Promise<T>((resolve, reject) => {
        this.#pending.push({ life, session, kind, act, resolve, reject } as unknown as Pending);
      });
    };
  }

  /** Executes one of the commands that wait. */
  executeOne(): void {
    const at = this.random.below(this.#pending.length);
    const [pending] = this.#pending.splice(at, 1);
    if (!pending?.life.isAlive) return;
    this.note(pending.life.number * 64 + pending.session * 8 + pending.kind.length);
    if (this.random.chance(this.troubles.kill)) {
      this.reach('kills');
      pending.life.isAlive = false;
      // Half of them are killed just after the command, so that nobody receives its answer.
      if (this.random.chance(0.5)) return;
    }
    this.#execute(pending);
  }

  #execute({ life, session, kind, act, resolve, reject }: Pending): void {
    const refused = this.#refusal(session, kind);
    if (refused) {
      reject(refused);
      return;
    }
    try {
      const value = act();
      if (kind === 'commit' && this.random.chance(this.troubles.unknown)) {
        this.reach('unknown commits');
        reject(unknownCommit());
      } else if (life.isAlive) resolve(value as never);
    } catch (error) {
      this.reach(
        `refused: ${(error as Error).name} ${(error as { code?: number }).code ?? ''}`.trim(),
      );
      reject(error);
    }
  }

  /** Returns why a command does not take place, or not yet. */
  #refusal(session: number, kind: OpKind): Error | null {
    const { random, store, troubles } = this;
    if (kind === 'commit' && random.chance(troubles.late)) {
      const transaction = store.transactions.get(session);
      if (transaction) transaction.isLate = true;
      return unknownCommit();
    }
    if (!random.chance(troubles.fail)) return null;
    this.reach('failed commands');
    if (kind !== 'read') store.abort(session);
    return serverError(10107, 'Not writable primary', 'TransientTransactionError');
  }

  /** The server does what it does by itself: late commits land, primaries step down, sessions of dead processes end. */
  serve(lives: readonly Life[]): void {
    const { random, store, troubles } = this;
    for (const { session, isLate } of [...store.transactions.values()]) {
      const isDead = lives.every(life => !life.isAlive || !isOf(session, life));
      if (isLate && random.chance(0.1)) {
        this.reach('late commits');
        store.commit(session);
      } else if ((isLate || isDead) && random.chance(0.02)) store.abort(session);
    }
    // A switch holds the generation, or its hold ends.
    if (random.chance(store.isHeld ? 0.1 : troubles.hold)) store.isHeld = !store.isHeld;
    if (!random.chance(troubles.stepDown)) return;
    this.reach('step-downs');
    for (const session of [...store.transactions.keys()]) store.abort(session);
  }
}

/** Sessions of a process: of its partition, of work beside the chunks, and of small chunks. */
export function sessionsOf({ number }: Life): readonly [number, number, number] {
  return [number * 4, number * 4 + 1, number * 4 + 2];
}

function isOf(session: number, { number }: Life): boolean {
  return session >> 2 === number;
}

function unknownCommit(): Error {
  return serverError(64, 'Waiting for replication timed out', 'UnknownTransactionCommitResult');
}
