// Compresses the body of an answer, if the client accepts that and the body is larger than one packet.
import { compress } from '../compress.ts';
import { type ContentCoding, chooseCoding, codingOf } from '../content-coding.ts';
import type { Middleware } from '../request-state.ts';

/** Leaves streams as they are. Answers HEAD like GET, so that its headers are those of GET. */
export function compression(): Middleware {
  // Public documents are the same buffer in each answer, so they are compressed once.
  const compressed = new WeakMap<Buffer, Map<ContentCoding, Promise<Buffer>>>();

  function compressOnce(body: Buffer, coding: ContentCoding): Promise<Buffer> {
    const forms = compressed.get(body) ?? new Map<ContentCoding, Promise<Buffer>>();
    compressed.set(body, forms);
    const form = forms.get(coding) ?? compress(body, coding);
    forms.set(coding, form);
    // The next answer tries it again.
    form.catch(() => forms.delete(coding));
    return form;
  }

  return async function compression(ctx, next) {
    // Small answers and 304 too: their size says nothing about the next answer of the same address.
    ctx.vary('Accept-Encoding');
    ctx.state.accepted = chooseCoding(ctx.get('Accept-Encoding'));
    await next();
    const { body } = ctx;
    if (ctx.res.hasHeader('Content-Encoding')) return;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    const coding = codingOf(ctx.state.accepted, body);
    if (coding === null) return;
    const bytes = Buffer.isBuffer(body)
      ? await compressOnce(body, coding)
      : await compress(Buffer.from(body), coding);
    ctx.set('Content-Encoding', coding);
    ctx.body = bytes;
  };
}
