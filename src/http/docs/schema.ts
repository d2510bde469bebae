// Renders fields and values of the API's schemas as definition lists, which wrap on a narrow page.
import { type Html, html } from '../../page/html.ts';
import { referenceName, type Schema } from './openapi-document.ts';
import { renderText } from './text.ts';

/** Renders a value's type and bounds, or its alternatives, in one line; a named type is a link to its section. */
export function renderType(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = referenceName(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.map(renderType);
    return html`${types.map((type, index) => html`${index > 0 ? 'or ' : ''}${type}`)}`;
  }
  if (schema.items !== undefined) return html`list of ${renderType(schema.items)}`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return html`${[types, ...boundsOf(schema)].join(', ')}`;
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

/** Renders a named object as a section of its own. */
export function renderShape(name: string, schema: Schema): Html {
  return html`<section id="schema-${name}" aria-labelledby="title-${name}">
<h3 id="title-${name}">${name}</h3>
${renderText(schema.description)}
${renderFields(schema)}
</section>`;
}

/** Renders a named type that has no fields. */
export function renderValue(name: string, schema: Schema): Html {
  return html`<dt id="schema-${name}"><code>${name}</code> <span class="type">${renderType(schema)}</span></dt>
<dd>${renderText(schema.description)}</dd>`;
}

/** Renders the fields of an object and of the objects nested in it. */
function renderFields({ properties = {} }: Schema): Html {
  const fields = Object.entries(properties).map(([field, property]) =>
    renderEntry({
      name: field,
      type: renderType(property),
      schema: property,
      fields: renderFields(property.items ?? property),
    }),
  );
  return fields.length > 0 ? html`<dl>${fields}</dl>` : html``;
}

interface Entry {
  readonly name: string;
  readonly type: Html;
  readonly schema: Pick<Schema, 'description' | 'x-extensible-enum'>;
  /** The fields of a nested object. */
  readonly fields?: Html;
}

/** Renders a field or a parameter: its name and type, its description, known values and nested fields. */
export function renderEntry({ name, type, schema, fields = html`` }: Entry): Html {
  const { description, 'x-extensible-enum': values } = schema;
  const known = (values ?? []).map(value => html`<code>${value}</code>`);
  const list = known.length > 0 ? html`<p class="names">Known values: ${known}</p>` : html``;
  return html`<dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${renderText(description)}${list}${fields}</dd>`;
}
