import type { Words } from '../../contract/extra.ts';
import type { Entity } from '../../contract/post.ts';

/** Puts texts one after another, their entities with them; empty ones leave no separator behind. */
export const joinWords = (parts: readonly Words[], separator: string): Words => {
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
