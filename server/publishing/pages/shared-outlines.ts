/** Markup of an SVG path, as React writes it. A text or an attribute cannot contain it, because React escapes `<`. */
const PATH = /<path( d="[^"]*"[^>]*)><\/path>/g;

/**
 * Shared outlines: writes each distinct SVG path of a shadow root only once. The first occurrence gets an id, to which
 * the others refer. Icons have the same few paths in each post.
 */
export function shareOutlines(html: string): string {
  const counts = new Map<string, number>();
  for (const [, attributes = ''] of html.matchAll(PATH)) counts.set(attributes, (counts.get(attributes) ?? 0) + 1);
  const ids = new Map<string, string>();
  return html.replace(PATH, (path, attributes: string) => {
    if (counts.get(attributes) === 1) return path;
    const id = ids.get(attributes);
    if (id !== undefined) return `<use href="#${id}"/>`;
    const newId = `outline-${ids.size}`;
    ids.set(attributes, newId);
    return `<path id="${newId}"${attributes}/>`;
  });
}
