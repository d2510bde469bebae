// Renders fields and values of the API's schemas as definition lists, which wrap on a narrow page.
import { type Html, html } from '../../pages/kit/html.ts';
import {
  type OpenApiDocument,
  referenceName,
  resolveReference,
  type Schema,
} from './openapi-document.ts';
import { renderText } from './text.ts';

/** Renders a value's type and bounds, or its alternatives, in one line; a named value is a link to its description. */
export function renderType(document: OpenApiDocument, schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = referenceName(schema.$ref);
    const isNamed = isValue(resolveReference<Schema>(document, { $ref: schema.$ref }));
    return isNamed ? html`<a href="#value-${name}">${name}</a>` : html`${name}`;
  }
  if (schema.items !== undefined) return html`list of ${renderType(document, schema.items)}`;
  if (knownValues(schema).length > 0) return html`string`;
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.map(one => renderType(document, one));
    return html`${types.map((type, index) => html`${index > 0 ? 'or ' : ''}${type}`)}`;
  }
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return html`${[types, ...boundsOf(schema)].join(', ')}`;
}

/** A type without fields is described once for all places that use it. */
function isValue({ properties }: Schema): boolean {
  return properties === undefined;
}

/** Returns the values of an open enumeration that are known today; empty for any other schema. */
function knownValues({ items, 'x-extensible-enum': known = [] }: Schema): readonly string[] {
  return items === undefined ? known : knownValues(items);
}

function boundsOf(schema: Schema): string[] {
  const { format, enum: values, minimum, maximum, minLength, maxLength } = schema;
  const bounds: string[] = [];
  if (format !== undefined && format !== 'id' && format !== 'text') bounds.push(format);
  if (values !== undefined) bounds.push(`one of ${values.join(' ')}`);
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${minimum} to ${maximum}`);
  if (maxLength !== undefined) bounds.push(`${minLength ?? 0} to ${maxLength} characters`);
  if (schema.default !== undefined) bounds.push(`default ${JSON.stringify(schema.default)}`);
  return bounds;
}

/** Renders the types without fields, each with an anchor that `renderType` links to. */
export function renderValues(document: OpenApiDocument): Html {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const values = schemas.filter(([, schema]) => isValue(schema));
  return html`<dl class="pairs">${values.map(
    ([name, schema]) =>
      html`<dt id="value-${name}"><code>${name}</code> <span class="type">${renderType(document, schema)}</span></dt>
<dd>${renderText(schema.description)}</dd>`,
  )}</dl>`;
}

/** Renders the fields of a body, and those of every object in it at the place where it is used. */
export function renderShapes(document: OpenApiDocument, schema: Schema): Html[] {
  if (schema.$ref !== undefined) {
    const target = resolveReference<Schema>(document, { $ref: schema.$ref });
    if (isValue(target)) return [];
    return [
      html`<p class="quiet">${referenceName(schema.$ref)}: ${target.description ?? ''}</p>`,
      renderFields(document, target),
    ];
  }
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(one => renderShapes(document, one));
  if (schema.items !== undefined) return renderShapes(document, schema.items);
  return schema.properties === undefined ? [] : [renderFields(document, schema)];
}

function renderFields(document: OpenApiDocument, { properties = {} }: Schema): Html {
  return html`<dl>${Object.entries(properties).map(([name, property]) =>
    renderEntry({
      name,
      type: renderType(document, property),
      description: property.description,
      schema: property,
      fields: renderShapes(document, property),
    }),
  )}</dl>`;
}

interface Entry {
  readonly name: string;
  readonly type: Html;
  readonly description: string | undefined;
  readonly schema: Schema;
  /** The fields of a nested object. */
  readonly fields?: readonly Html[];
}

/** Renders a field or a parameter: its name and type, its description, known values and nested fields. */
export function renderEntry({ name, type, description, schema, fields = [] }: Entry): Html {
  const known = knownValues(schema).map(value => html`<code>${value}</code>`);
  const list = known.length > 0 ? html`<p class="names">Known values: ${known}</p>` : null;
  return html`<dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${renderText(description)}${list}${fields}</dd>`;
}
