// A visitor of the settings pages without a browser: it keeps cookies, sends what it likes, follows nothing.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where it leads, empty where it does not. */
  readonly location: string;
  readonly text: string;
}

type Headers = Readonly<Record<string, string | undefined>>;
interface Sent {
  readonly headers: Headers;
  readonly body: string;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What a browser sends with a form of the same site. */
const sameOrigin = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' });

export function createVisitor(origin: string) {
  const jar = new Map<string, string>();

  async function send(method: string, path: string, given: Partial<Sent> = {}): Promise<Answer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = Object.entries({ ...(cookie && { cookie }), ...given.headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const sent = { headers: Object.fromEntries(headers), body: given.body ?? '' };
    const answer = await ask(origin + path, method, sent);
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(;|$)/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  async function get(path: string, headers: Headers = {}): Promise<Answer> {
    return await send('GET', path, { headers });
  }

  async function post(path: string, fields: Fields | string, headers: Headers = {}) {
    const body = typeof fields === 'string' ? fields : encode(fields);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const all = { ...type, ...sameOrigin(origin), ...headers };
    return await send('POST', path, { headers: all, body });
  }

  return {
    jar,
    get,
    post,
    send,
    /** Uses a sign-in link as its page does. */
    async signIn(link: string): Promise<Answer> {
      const page = await get(link.slice(origin.length));
      return await post('/settings/sign-in', { link: hidden(page, 'link') });
    },
    /** The hidden fields of the form that makes a token. */
    async newForm(): Promise<{ form_key: string; form_number: string }> {
      const page = await get('/settings/tokens/new');
      return { form_key: hidden(page, 'form_key'), form_number: hidden(page, 'form_number') };
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

/** A token that reads everything, for a year. */
export const PLAIN = { name: 'Sheet', access: 'all', reach: 'all', days: '365' };

/** The value of a hidden field, of the form that comes last on the page. */
export function hidden({ text }: Answer, name: string): string {
  const found = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const value = found.filter(([, one]) => one === name).at(-1)?.[2];
  if (value === undefined) throw new Error(`Expected a field ${name} in: ${text}`);
  return value;
}

/** The value of a token that a page shows. */
export function shownToken({ text }: Answer): string | null {
  return /service_pat_[0-9A-Za-z]{36}/.exec(text)?.[0] ?? null;
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map(value => [name, value] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

// As browsers do: on a connection that is to be closed, the answer to a form that is not read whole gets lost.
const agent = new Agent({ keepAlive: true });

function ask(url: string, method: string, { headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const sent = request(url, { method, headers: { ...length, ...headers }, agent });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server had closed the connection, which nobody used, just before. So browsers ask again too.
      const isIdle = sent.reusedSocket && error.code === 'ECONNRESET';
      if (isIdle) ask(url, method, { headers, body }).then(resolve, reject);
      else reject(error);
    });
    sent.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          location: response.headers.location ?? '',
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.end(body);
  });
}
