// CloudEvents in binary mode: the attributes are in headers of the record, its value is the data (CloudEvents, Kafka
// protocol binding 1.0, 3.2). The rest of the program reads structured JSON only. Pure.
import { isUtf8 } from 'node:buffer';

/** The headers of a record as kafkajs decodes them; one that comes twice is a list. */
export type Headers = Readonly<Record<string, Buffer | readonly Buffer[] | null | undefined>>;

const PREFIX = 'ce_';
const CONTENT_TYPE = 'content-type';
const STRUCTURED = /^application\/cloudevents/i;

/**
 * Returns the value of a record in structured JSON: unchanged without `ce_` headers, and where the content type says that
 * it is structured. Data that is no JSON becomes `data_base64`, so that decoding can name what it is.
 */
export function structuredValue(value: Buffer | null, headers: Headers | undefined): Buffer | null {
  const names = headers === undefined ? [] : Object.keys(headers);
  const attributes = names.filter(name => name.startsWith(PREFIX));
  if (headers === undefined || attributes.length === 0) return value;
  const contentType = textOf(headers[CONTENT_TYPE]);
  if (typeof contentType === 'string' && STRUCTURED.test(contentType)) return value;
  const event = Object.fromEntries(
    attributes.map(name => [name.slice(PREFIX.length), textOf(headers[name])]),
  );
  // These two are no headers of attributes: data is the value, and its type has a header of its own.
  const { data: _data, data_base64: _base64, ...rest } = event;
  const envelope = contentType === undefined ? rest : { ...rest, datacontenttype: contentType };
  const json = JSON.stringify(envelope);
  if (value === null || value.length === 0) return Buffer.from(json);
  const member = isJson(value)
    ? `"data":${value}`
    : `"data_base64":${JSON.stringify(value.toString('base64'))}`;
  // There is an attribute before it, so a comma fits.
  return Buffer.from(`${json.slice(0, -1)},${member}}`);
}

/** Undefined without the header; null for bytes that are no text, which no attribute accepts. */
function textOf(header: Headers[string]): unknown {
  if (header === undefined || header === null) return header;
  if (!Buffer.isBuffer(header)) return header.map(textOf);
  return isUtf8(header) ? header.toString('utf8') : null;
}

function isJson(value: Buffer): boolean {
  if (!isUtf8(value)) return false;
  try {
    JSON.parse(value.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
