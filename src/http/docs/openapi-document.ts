// The part of an OpenAPI 3.1 document that the page shows.

export interface OpenApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly headers?: Readonly<Record<string, Header>>;
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Empty where no token is needed. */
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Header {
  readonly description?: string;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns the target of a reference within the document; any other value is returned as it is. */
export function resolveReference<T extends object>(
  document: OpenApiDocument,
  value: T | Reference,
): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const steps = value.$ref.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>(
    (whole, step) => (whole as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')],
    document,
  );
  if (found === undefined) throw new Error(`Expected ${value.$ref} in the API's description`);
  return found as T;
}

/** Returns the last part of a reference, such as `Budget` for `#/components/schemas/Budget`. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
