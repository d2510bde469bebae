// The ids of a distributed trace, so that log lines can be found by them (W3C Trace Context, section 3.2).

export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the caller's span. */
  readonly spanId: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;
const LENGTH_MAX = 256;

/** Returns the ids of a `traceparent`: a header, or the attribute of an event; nothing where it is missing or malformed. */
export function traceIdsOf(traceparent: unknown): TraceIds | Record<string, never> {
  if (typeof traceparent !== 'string' || traceparent.length > LENGTH_MAX) return {};
  const [, version = 'ff', traceId = '', spanId = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  // Only later versions may append fields.
  if (version === 'ff' || (version === '00' && more !== undefined)) return {};
  return ZEROS.test(traceId) || ZEROS.test(spanId) ? {} : { traceId, spanId };
}
