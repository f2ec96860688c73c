import type { FormattedText } from '../../contract/extra.ts';
import type { Entity } from '../../contract/post.ts';

/** Formatted text: joins texts and shifts their entities. Empty texts add no separator. */
export const concatFormattedText = (parts: readonly FormattedText[], separator: string): FormattedText => {
  let text = '';
  const entities: Entity[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    if (text !== '') text += separator;
    for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + text.length });
    text += part.text;
  }
  return { text, entities };
};
