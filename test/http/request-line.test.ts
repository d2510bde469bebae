// The log line of a request.
import test from 'ava';
import { noteRequests } from '../../src/http/middleware/request-log.ts';
import { memoryLog } from './memory-log.ts';

const REQUEST = { method: 'GET', route: '/accounts', status: 200, startedAtMs: 0 };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test('a request with a traceparent is found by its trace', t => {
  const { logger, lines } = memoryLog();
  const note = noteRequests(logger);
  note(REQUEST, 'r1', `00-${TRACE}-00f067aa0ba902b7-01`);
  note(REQUEST, 'r2', 'nonsense\nof a client');
  note(REQUEST, 'r3');
  t.like(lines[0], { requestId: 'r1', traceId: TRACE, spanId: '00f067aa0ba902b7' });
  for (const line of lines.slice(1)) t.false('traceId' in line);
  t.false(JSON.stringify(lines).includes('nonsense'));
});
