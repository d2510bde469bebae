// The open streams of a process: who may open one, what each sends, and when it ends.
import type { ServerResponse } from 'node:http';
import type { Token } from '../../access/token.ts';
import type { TokenChecks } from '../../access/token-checks.ts';
import type { PositionFeed, PositionListener } from '../../store/reading/position-feed.ts';
import type { PositionChange } from '../../store/reading/reach-state.ts';
import { ApiError, unavailable } from '../api-error.ts';
import { createShares, type Places } from '../bounds.ts';
import { moveTo } from '../middleware/bound-in-flight.ts';
import { limitHeaders } from '../middleware/limits.ts';
import { onceClosed } from '../request-end.ts';
import type { Context } from '../request-state.ts';

export interface Streams {
  /** Answers a request with a stream of what its token reaches; HEAD with the headers alone. */
  open(ctx: Context, token: Token): Promise<void>;
}

/** What metrics count: the events that streams send, and the streams refused because their token has too many. */
export type StreamObservation = EventName | 'refused';

export interface StreamsOptions {
  readonly feed: PositionFeed;
  readonly checks: Pick<TokenChecks, 'watch'>;
  readonly places: Places;
  readonly clock: () => Date;
  /** Ends all streams when it aborts. */
  readonly stopping: AbortSignal;
  readonly observe?: (what: StreamObservation) => void;
}

/** docs/api.md names it. */
export const STREAMS_OF_TOKEN_MAX = 5;
const COMMENT_MS = 15_000;
const FULL = 'Too many streams are open on this reader';

export function createStreams(options: StreamsOptions): Streams {
  const { feed, checks, places, clock, stopping, observe = () => {} } = options;
  const shares = createShares(STREAMS_OF_TOKEN_MAX);
  const ends = new Set<() => void>();
  stopping.addEventListener('abort', () => {
    for (const end of ends) end();
  });

  function admit({ id }: Token): void {
    if (shares.hasFree(id)) return;
    observe('refused');
    throw tooManyOfToken(clock());
  }

  /** Streams to the response from now on; returns the function that ends it. */
  function start(res: ServerResponse, token: Token) {
    const stream = createEventStream(res, observe);
    const unwatch = checks.watch(token, () => stream.end());
    const timer = setInterval(stream.comment, COMMENT_MS).unref();
    ends.add(stream.end);
    onceClosed(res, () => {
      stream.stop();
      unwatch();
      clearInterval(timer);
      ends.delete(stream.end);
    });
    return stream;
  }

  return {
    async open(ctx, token) {
      const { res } = ctx;
      admit(token);
      if (ctx.method === 'HEAD') {
        if (places.taken() >= places.max) throw unavailable(FULL);
        setHeaders(ctx);
        return;
      }
      moveTo(ctx, places, FULL)();
      shares.take(token.id, res);
      const { budgets } = token;
      const before: PositionChange[] = [];
      let send: PositionListener = changes => void before.push(...changes);
      const stop = await feed.follow(token.owner, changes =>
        send(changes.filter(({ budgetId }) => budgets?.includes(budgetId) ?? true)),
      );
      if (stop === null) throw unavailable('No read model is built yet');
      onceClosed(res, stop);
      if (stopping.aborted) throw unavailable('The service is shutting down');
      setHeaders(ctx);
      // Koa would end the response.
      ctx.respond = false;
      const stream = start(res, token);
      stream.send(before);
      send = stream.send;
    },
  };
}

function setHeaders(ctx: Context): void {
  ctx.status = 200;
  ctx.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // Proxies that collect answers (nginx) would hold events back.
    'X-Accel-Buffering': 'no',
  });
}

/** By then a client that vanished without closing its connections may have been noticed. */
const RETRY_AFTER_SECONDS = 15;

/** The headers show the bound that refuses, as they show the window that refuses a request. */
function tooManyOfToken(now: Date): ApiError {
  const message = `Expected at most ${STREAMS_OF_TOKEN_MAX} open streams of a token, got one more: close one first`;
  const resetAt = Math.ceil(now.getTime() / 1000) + RETRY_AFTER_SECONDS;
  const shown = limitHeaders({ limit: STREAMS_OF_TOKEN_MAX, remaining: 0, resetAt });
  const headers = { ...shown, 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return new ApiError('rate_limited', { message, headers });
}

/** The part of a response that a stream writes to. */
interface StreamTarget {
  /** `written` is called when the text has left this process, with an error if it never will. */
  write(text: string, written: (error?: Error | null) => void): unknown;
  end(): void;
}

/**
 * One open stream of server-sent events. A client that reads slowly costs one write and the newest position of each
 * budget: while a write is under way, later positions replace earlier ones.
 */
export interface EventStream {
  /** Tells positions, and which budgets are gone. */
  send(changes: readonly PositionChange[]): void;
  /** Writes a comment, unless something is being written: it shows both sides that the connection lives. */
  comment(): void;
  /** Ends the response. */
  end(): void;
  /** Writes nothing any more, because the response has ended. */
  stop(): void;
}

/** How long clients wait before they connect again. */
const RETRY_MS = 5000;

/** @param observe receives the name of each event that is written */
export function createEventStream(
  target: StreamTarget,
  observe: (event: EventName) => void = () => {},
): EventStream {
  const pending = new Map<string, number | null>();
  let isWriting = false;
  let isOver = false;

  function write(text: string): void {
    isWriting = true;
    target.write(text, error => {
      isWriting = false;
      if (error) isOver = true;
      flush();
    });
  }

  function flush(): void {
    if (isOver || isWriting || pending.size === 0) return;
    const changes = [...pending].map(([budgetId, position]) => ({ budgetId, position }));
    pending.clear();
    for (const change of changes) observe(nameOf(change));
    write(changes.map(eventText).join(''));
  }

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send(changes) {
      for (const { budgetId, position } of changes) pending.set(budgetId, position);
      flush();
    },
    comment() {
      if (!isOver && !isWriting) write(':\n\n');
    },
    end() {
      if (isOver) return;
      isOver = true;
      target.end();
    },
    stop() {
      isOver = true;
    },
  };
}

type EventName = 'position' | 'gone';

function nameOf({ position }: PositionChange): EventName {
  return position === null ? 'gone' : 'position';
}

/** Ids consist of letters that JSON leaves alone, so that data is one line. */
function eventText(change: PositionChange): string {
  const { budgetId, position } = change;
  const data = position === null ? { budgetId } : { budgetId, position };
  return `event: ${nameOf(change)}\ndata: ${JSON.stringify(data)}\n\n`;
}
