// Builds status snapshots, for tests that need no servers.
import type { StatusSnapshot } from '../../../src/pages/operators/status-monitor.ts';
import type {
  GenerationStatus,
  PartitionStatus,
} from '../../../src/projector/operate/system-status.ts';
import type { Registry } from '../../../src/store/registry.ts';

export const AT = new Date('2026-11-20T12:00:00Z');

export function partition(number: number, next: number, end: number): PartitionStatus {
  const lagEvents = end - next;
  const lagSeconds = lagEvents > 0 ? 90 : 0;
  return { partition: number, next, end, lagEvents, lagSeconds, halted: null };
}

/** Returns a generation of version 1 with these partitions. */
export function generation(
  id: string,
  partitions: readonly PartitionStatus[],
  changes: Partial<GenerationStatus> = {},
): GenerationStatus {
  const sum = (of: (one: PartitionStatus) => number) =>
    partitions.reduce((total, one) => total + of(one), 0);
  return {
    id,
    version: 1,
    state: 'active',
    startedAt: new Date(AT.getTime() - 3_600_000),
    activatedAt: AT,
    retiredAt: null,
    reason: null,
    waitsFor: null,
    verifyingUntil: null,
    partitions,
    applied: sum(({ next }) => next),
    total: sum(({ end }) => end),
    held: 0,
    heldBy: { parked: 0, gap: 0, change: 0 },
    heldStreams: [],
    quarantined: 0,
    quarantinedRecords: [],
    nearTypes: [],
    paused: null,
    ...changes,
  };
}

/** Returns a snapshot in which all servers answer; the first active generation is the active one. */
export function snapshotOf(
  generations: readonly GenerationStatus[],
  changes: Partial<StatusSnapshot> = {},
): StatusSnapshot {
  const active = generations.find(({ state }) => state === 'active')?.id ?? null;
  const registry: Registry = {
    active,
    generations,
    rejectedVersions: [],
    made: generations.length,
    revision: 1,
  };
  const status = { active, generations, rejectedVersions: [], settingsProblem: null, hidden: [] };
  const projection = { at: AT, status, verifications: [] };
  return { at: AT, registry, logAnswers: true, projection, ...changes };
}
