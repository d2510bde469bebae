// Asks a route of the API from within the process, so that tools have no way to data of their own: the route sees a GET
// with the token of the request for the tool.
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../request-state.ts';

export interface Question {
  /** Of the API, with its parameters, encoded as a client would. */
  readonly path: string;
  readonly query: string;
  /** The encoded parameters of the path. */
  readonly captures: readonly string[];
}

export interface RouteAnswer {
  /** JSON text. */
  readonly text: string;
  /** Returns a header of the answer, undefined if it has none. */
  readonly header: (name: string) => string | undefined;
}

/** Runs `answer`, which throws what the route refuses with. */
export async function askInProcess(
  ctx: Context,
  { path, query, captures }: Question,
  answer: (inner: Context) => Promise<void>,
): Promise<RouteAnswer> {
  const request = new IncomingMessage(ctx.req.socket);
  request.method = 'GET';
  request.url = `${path}?${query}`;
  const response = new ServerResponse(request);
  const inner = ctx.app.createContext(request, response) as unknown as Context;
  const { requestId, token } = ctx.state;
  inner.state = { requestId, path, query, ...(token && { token }) };
  Object.assign(inner, { captures });
  const leave = () => response.emit('close');
  ctx.res.once('close', leave);
  try {
    await answer(inner);
  } finally {
    ctx.res.off('close', leave);
    if (inner.state.abandoned) ctx.state.abandoned = inner.state.abandoned;
  }
  const body = inner.body as string | Buffer;
  return { text: body.toString(), header: name => response.getHeader(name)?.toString() };
}
