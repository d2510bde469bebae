// Leaves only the sections that contain all words of the search field. Without scripts the field is not shown.

export const SEARCH_SCRIPT = `
{
  const field = document.getElementById('search');
  const status = document.getElementById('search-status');
  const sections = Array.from(document.querySelectorAll('[data-searched]'), section => ({
    section,
    link: document.querySelector('nav a[href="#' + section.id + '"]').parentElement,
    text: section.textContent.toLowerCase(),
  }));

  function search() {
    const words = field.value.toLowerCase().split(/\\s+/).filter(word => word !== '');
    let found = 0;
    for (const { section, link, text } of sections) {
      const isFound = words.every(word => text.includes(word));
      section.hidden = link.hidden = !isFound;
      if (isFound) found += 1;
    }
    status.textContent = words.length === 0 ? '' : found + ' of ' + sections.length + ' sections';
  }

  // A link to a section that the search hides shows all sections again.
  addEventListener('hashchange', () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest('[hidden]')) return;
    field.value = '';
    search();
    target.scrollIntoView();
  });
  field.addEventListener('input', search);
  document.getElementById('search-box').hidden = false;
  // A browser keeps what was typed when the page is loaded again.
  search();
}
`;
