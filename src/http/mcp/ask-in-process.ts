// Asks a route of the API from within the process, so that tools have no way to data of their own.
import { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../api-error.ts';
import { abandonedSignal } from '../request-end.ts';
import type { Context } from '../request-state.ts';

interface Question {
  /** Of the API, with its parameters, encoded as a client would. */
  readonly path: string;
  readonly query: string;
  /** The encoded parameters of the path. */
  readonly captures: readonly string[];
  readonly takes: readonly string[];
}

export interface RouteAnswer {
  /** JSON. */
  readonly body: string | Buffer;
  /** Returns a header of the answer, undefined if it has none. */
  readonly header: (name: string) => string | undefined;
}

/** Far more than an assistant can read. */
const ANSWER_BYTES_MAX = 2_000_000;

/** The route sees a GET with the token of the request for the tool. Runs `answer`, which throws what the route refuses with. */
export async function askInProcess(
  ctx: Context,
  { path, query, captures, takes }: Question,
  answer: (inner: Context) => Promise<void>,
): Promise<RouteAnswer> {
  const request = new IncomingMessage(ctx.req.socket);
  request.method = 'GET';
  request.url = `${path}?${query}`;
  const response = new ServerResponse(request);
  const inner = ctx.app.createContext(request, response) as unknown as Context;
  const { requestId, token } = ctx.state;
  const abandoned = abandonedSignal(ctx);
  const toolResponse = ctx.res;
  inner.state = { requestId, path, query, takes, toolResponse, abandoned, ...(token && { token }) };
  Object.assign(inner, { captures });
  await answer(inner);
  const body = inner.body as string | Buffer;
  const bytes = Buffer.byteLength(body);
  if (bytes > ANSWER_BYTES_MAX) {
    const message = `Expected an answer of at most ${ANSWER_BYTES_MAX} bytes, got ${bytes}: ask for fewer months, rows or categories, or ask the API without a tool`;
    throw new ApiError('invalid_parameter', { message });
  }
  return { body, header: name => response.getHeader(name)?.toString() };
}
