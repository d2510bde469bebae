// The arithmetic of a soak: windows of time, and whether the last third is as good as the first (pure).
import { percentile } from '../bench/arithmetic.ts';

/** What one window of time saw: a minute, or less in a short soak. */
export interface SoakWindow {
  /** Milliseconds of each answered request. */
  readonly times: readonly number[];
  readonly errors: readonly string[];
  readonly memoryBytes: number;
}

export interface Third {
  readonly p99Ms: number;
  readonly errors: number;
  /** The mean. */
  readonly memoryBytes: number;
}

/** Memory of the last third in terms of the first; beyond it memory grows. */
export const GROWTH_MAX = 1.1;

export function thirdOf(windows: readonly SoakWindow[], which: 'first' | 'last'): Third {
  const size = Math.max(1, Math.floor(windows.length / 3));
  const part = which === 'first' ? windows.slice(0, size) : windows.slice(-size);
  const times = part.flatMap(({ times }) => times);
  const memory = part.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  return {
    p99Ms: times.length === 0 ? 0 : percentile(times, 99),
    errors: part.reduce((sum, { errors }) => sum + errors.length, 0),
    memoryBytes: memory / part.length,
  };
}

/** Returns what is wrong; nothing for a good soak. Memory is judged only where there was time for it to settle. */
export function faultsOf(windows: readonly SoakWindow[], judgesMemory: boolean): string[] {
  const errors = windows.flatMap(window => window.errors);
  const growth = thirdOf(windows, 'last').memoryBytes / thirdOf(windows, 'first').memoryBytes;
  return [
    ...(errors.length > 0 ? [`${errors.length} errors, the first: ${errors[0]}`] : []),
    ...(judgesMemory && growth > GROWTH_MAX
      ? [`memory of the last third is ${growth.toFixed(2)} times that of the first`]
      : []),
  ];
}
