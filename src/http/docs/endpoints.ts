// The endpoints of the document, and a request to each as an example.
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  resolveReference,
} from './openapi-document.ts';

export interface DocumentedEndpoint {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Examples that are lists show this many things. */
const EXAMPLE_LIMIT = 5;

export function endpointsOf({ paths }: OpenApiDocument): DocumentedEndpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

export function anchorOf({ method, path }: Pick<DocumentedEndpoint, 'method' | 'path'>): string {
  return `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, '');
}

export function parametersOf(
  document: OpenApiDocument,
  { operation }: DocumentedEndpoint,
): Parameter[] {
  return (operation.parameters ?? []).map(given => resolveReference(document, given));
}

export function responsesOf(
  document: OpenApiDocument,
  { operation }: DocumentedEndpoint,
): (readonly [status: string, response: Response])[] {
  return Object.entries(operation.responses).map(([status, given]) => [
    status,
    resolveReference<Response>(document, given),
  ]);
}

/** Returns whether the answer goes on for as long as the client listens. */
export function isStream(document: OpenApiDocument, endpoint: DocumentedEndpoint): boolean {
  return responsesOf(document, endpoint).some(
    ([, { content = {} }]) => 'text/event-stream' in content,
  );
}

/** Returns the value that an example gives a parameter, null for one that it leaves out. */
export function exampleValue({ name, required, example }: Parameter): string | null {
  if (name === 'limit') return String(EXAMPLE_LIMIT);
  return required === true && example !== undefined ? String(example) : null;
}

/** Returns path and query of an example, below the address of the API. */
export function examplePath(document: OpenApiDocument, endpoint: DocumentedEndpoint): string {
  let path = endpoint.path;
  const query: string[] = [];
  for (const parameter of parametersOf(document, endpoint)) {
    const value = exampleValue(parameter);
    if (value === null) continue;
    const encoded = encodeURIComponent(value);
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encoded);
    else query.push(`${parameter.name}=${encoded}`);
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Returns a parameter of a path's GET. */
export function parameterOf(document: OpenApiDocument, path: string, name: string): Parameter {
  const endpoint = endpointsOf(document).find(one => one.path === path && one.method === 'get');
  const found = endpoint && parametersOf(document, endpoint).find(one => one.name === name);
  if (found === undefined) throw new Error(`Expected GET ${path} to have ${name}, it has not`);
  return found;
}
