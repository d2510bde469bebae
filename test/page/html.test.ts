import test from 'ava';
import { html, trustedHtml } from '../../src/page/html.ts';

test('what is put in is escaped, in text and in quoted attributes', t => {
  const name = `<b>"Tom" & 'Ann'</b>`;
  t.is(
    html`<a title="${name}">${name}</a>`.html,
    '<a title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;">&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;</a>',
  );
});

test('HTML stays as it is, also in lists; null is nothing, zero is zero', t => {
  const items = [html`<li>${'&'}</li>`, null, html`<li>2</li>`];
  t.is(html`<ul>${items}</ul>${null}${0}${''}`.html, '<ul><li>&amp;</li>\n\n<li>2</li></ul>0');
});

test('only a text of the program itself is taken as it is', t => {
  t.is(html`${trustedHtml('<i>')}`.html, '<i>');
});
