// Event types that look like a mistake: nearly one that this version knows. Pure.
import { BUDGET_EVENT_TYPES, SPACE_EVENT_TYPES } from '../../schemas/generated/events.ts';

/** A longer text is no mistake in a type. */
const LENGTH_MAX = 200;

const KNOWN: readonly string[] = [...SPACE_EVENT_TYPES, ...BUDGET_EVENT_TYPES];

/** Returns the known type from which an unknown one differs in case alone, or by what stands before it; null for others. */
export function nearKnownType(type: string): string | null {
  if (type.length > LENGTH_MAX) return null;
  const lower = type.toLowerCase();
  return KNOWN.find(known => lower === known || /[./:]$/.test(before(lower, known))) ?? null;
}

/** Returns what stands before the end of a text; nothing where it ends otherwise. */
function before(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : '';
}
