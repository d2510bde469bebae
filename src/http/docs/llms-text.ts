// The overview for assistants (https://llmstxt.org): what this service is, and where it is described in text.
import { endpointsOf } from './endpoints.ts';
import { apiAddress, type DocsPageFacts } from './page-facts.ts';
import { TEXT_PATH } from './render-page.ts';

export const LLMS_PATH = '/llms.txt';

export function renderLlmsText(facts: DocsPageFacts): string {
  const { document, origin, openapiPath } = facts;
  const [summary = ''] = (document.info.description ?? '').split(/\n{2,}/);
  const withToken = endpointsOf(document).filter(
    ({ operation }) => operation.security?.length !== 0,
  );
  const endpoints = withToken.map(
    ({ method, path, operation }) =>
      `- ${method.toUpperCase()} ${apiAddress(facts)}${path}: ${operation.summary ?? ''}`,
  );
  return `# ${document.info.title}

> ${summary.replaceAll('\n', ' ')}

Endpoints need a token, which a person makes on ${origin}/settings/tokens. The documents need none.

## Documents

- [Guide and reference](${origin}${TEXT_PATH}): first call, pages, filters, sums, limits, errors, caching, keeping in sync, then every endpoint; the page ${origin}/docs as Markdown
- [OpenAPI document](${origin}${openapiPath}): version ${document.info.version}, as JSON

## Endpoints

${endpoints.join('\n')}
`;
}
