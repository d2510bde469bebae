// The error to throw when a page cannot be shown or a form is refused; its message is shown to the person.

interface PageErrorOptions {
  readonly status: number;
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
  constructor(title: string, message: string, options: PageErrorOptions) {
    super(message);
    this.status = options.status;
    this.title = title;
    this.headers = options.headers ?? {};
    this.link = options.link ?? { href: '/settings/tokens', text: 'To the API tokens' };
  }
}

export function notFound(): PageError {
  return new PageError('Page not found', 'There is nothing at this address.', { status: 404 });
}

/** The error for a form that no page of this service can have sent. */
export function badForm(): PageError {
  const message = 'Nothing was changed. Open the page again.';
  return new PageError('Form not understood', message, { status: 400 });
}

const RETRY_AFTER_SECONDS = '2';

export function notAvailable(): PageError {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return new PageError('Not available', 'Try again in a moment.', { status: 503, headers });
}

export function tooManyRequests(retryAfterSeconds: number): PageError {
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  const message = `Try again in ${retryAfterSeconds} seconds.`;
  return new PageError('Too many requests', message, { status: 429, headers });
}
