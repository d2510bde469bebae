// The error to throw when a page cannot be shown or a form is refused; its message is shown to the person.

interface PageErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The link below the message; to the API tokens by default. */
  readonly link?: { readonly href: string; readonly text: string };
}

export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: number;
  /** The heading of the page. */
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly link: { readonly href: string; readonly text: string };

  /** @param message whole sentences, shown below the title */
  constructor(status: number, title: string, message: string, options: PageErrorOptions = {}) {
    super(message);
    this.status = status;
    this.title = title;
    this.headers = options.headers ?? {};
    this.link = options.link ?? { href: '/settings/tokens', text: 'To the API tokens' };
  }
}

export function notFound(): PageError {
  return new PageError(404, 'Page not found', 'There is nothing at this address.');
}

/** The error for a form that no page of this service can have sent. */
export function badForm(): PageError {
  return new PageError(400, 'Form not understood', 'Nothing was changed. Open the page again.');
}

const RETRY_AFTER_SECONDS = '2';

export function notAvailable(): PageError {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return new PageError(503, 'Not available', 'Try again in a moment.', { headers });
}

export function tooManyRequests(retryAfterSeconds: number): PageError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  const message = `Try again in ${retryAfterSeconds} seconds.`;
  return new PageError(429, 'Too many requests', message, { headers });
}
