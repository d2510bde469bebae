// What the linters say of the description that stays as it is, each with its reason.

export interface LintException {
  readonly rule: string;
  /** The places, as JSON pointers. */
  readonly at: RegExp;
  readonly reason: string;
}

const ANSWERS = /^#\/components\/schemas\//;
const SENT_HEADERS = /^#\/components\/(?:responses\/\w+\/)?headers\//;
const CSV = /^#\/paths\/~1transactions\/get\/responses\/200\/content\/text~1csv\/schema$/;
const DOCUMENT = /^#\/paths\/~1openapi\.json\/get\//;
const ANSWERS_ARE_OPEN =
  'A limit in the description of an answer makes a client refuse what a later version sends; docs/events.md limits what comes in';

export const EXCEPTIONS: Readonly<Record<'redocly' | 'spectral', readonly LintException[]>> = {
  redocly: [],
  spectral: [
    {
      rule: 'contact-properties',
      at: /^#\/info\/contact$/,
      reason:
        'The one who runs the service is the contact, and the product knows neither page nor address',
    },
    {
      rule: 'license-url',
      at: /^#\/info\/license$/,
      reason: 'OpenAPI 3.1 has the SPDX identifier instead, and allows only one of both',
    },
    {
      rule: 'owasp:api9:2023-inventory-access',
      at: /^#\/servers\/0$/,
      reason: 'Whether it serves a household or the public is a decision of the one who runs it',
    },
    {
      rule: 'openapi-tags-alphabetical',
      at: /^#\/tags$/,
      reason: 'The guide at /docs shows the groups in this order, from budgets to details',
    },
    {
      rule: 'oas3-operation-security-defined',
      at: /\/security\/0\/personalAccessToken\/\d$/,
      reason: 'OpenAPI 3.1 allows names of roles beside every scheme; the rule is that of 3.0',
    },
    {
      rule: 'owasp:api2:2023-read-restricted',
      at: DOCUMENT,
      reason: 'The description is public: a client reads it before it has a token',
    },
    {
      rule: 'owasp:api8:2023-define-error-responses-401',
      at: DOCUMENT,
      reason: 'The description needs no token, so it never answers 401',
    },
    {
      rule: 'owasp:api4:2023-string-limit',
      at: /^#\/paths\/[^/]+\/get\/parameters\/\d+\/schema$/,
      reason: 'Ids, money, dates and months have a pattern, which says the longest one',
    },
    {
      rule: 'owasp:api4:2023-string-limit',
      at: /^#\/components\/parameters\/If-None-Match\/schema$/,
      reason: 'A client may send many tags; the server refuses headers of more than 16 KiB',
    },
    { rule: 'owasp:api4:2023-string-limit', at: ANSWERS, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-string-limit', at: SENT_HEADERS, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-string-limit', at: CSV, reason: ANSWERS_ARE_OPEN },
    {
      rule: 'owasp:api4:2023-string-restricted',
      at: /^#\/components\/parameters\/If-None-Match\/schema$/,
      reason: 'What is no tag matches nothing, as RFC 9110 says, and is no error',
    },
    { rule: 'owasp:api4:2023-string-restricted', at: ANSWERS, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-string-restricted', at: SENT_HEADERS, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-string-restricted', at: CSV, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-array-limit', at: ANSWERS, reason: ANSWERS_ARE_OPEN },
    { rule: 'owasp:api4:2023-integer-limit', at: ANSWERS, reason: ANSWERS_ARE_OPEN },
    {
      rule: 'owasp:api4:2023-integer-limit',
      at: /^#\/components\/headers\/(?:X-RateLimit-\w+|Retry-After)\/schema$/,
      reason: 'The one who runs the service sets the limits, and time has no largest value',
    },
    {
      rule: 'owasp:api4:2023-integer-format',
      at: /^#\/(?:paths\/[^/]+\/get\/parameters\/\d+|components\/parameters\/[\w-]+)\/schema$/,
      reason: 'The bounds say that 32 bits are enough; int32 would change types of clients in Go',
    },
    {
      rule: 'owasp:api4:2023-integer-format',
      at: ANSWERS,
      reason: 'Counts of rows fit into 32 bits; a format would change types of clients in Go',
    },
    {
      rule: 'owasp:api4:2023-integer-format',
      at: /^#\/components\/headers\/(?!X-RateLimit-Reset\/)[\w-]+\/schema$/,
      reason: 'Sequences, limits and seconds fit into 32 bits, as integers without a format do',
    },
  ],
};
