/**
 * Content negotiation: parses an Accept-Language header (RFC 9110) into language tags, most preferred first. Entries
 * that are not language tags are dropped.
 */
export function parseAcceptLanguage(header = ''): string[] {
  const weighted = header.split(',').map((entry) => {
    const [tag = '', weight] = entry.split(';').map((part) => part.trim());
    return { tag, weight: weight === undefined ? 1 : Number(weight.replace(/^q=/, '')) };
  });
  return weighted
    .filter(({ tag, weight }) => /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/.test(tag) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
