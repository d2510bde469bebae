// Gives back what a response takes, when it has left this process or its connection has ended.
import type { ServerResponse } from 'node:http';

/** Calls `act` when the response closes, at once if it is closed already. */
export function onceClosed(res: ServerResponse, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}
