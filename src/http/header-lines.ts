// The lines of a header as they were sent. Node keeps only the first Host and the first Authorization.
import type { IncomingMessage } from 'node:http';

/** Returns the values of all lines of a header; `name` is in lower case. */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => {
    return index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name;
  });
}
