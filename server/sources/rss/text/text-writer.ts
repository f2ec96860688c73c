/** Text writer: builds plain text with entities piece by piece, with the white space rules of HTML. */
import type { Entity } from '../../../../contract/post.ts';

/** An entity without its position. */
export type TextStyle = Omit<Entity, 'offset' | 'length'>;

interface OpenEntity {
  style: TextStyle;
  /** Position of its first character; null until there is one. */
  start: number | null;
}

/**
 * Characters that are removed: controls, unpaired surrogates and invisible marks. Tabs and line feeds are handled
 * earlier.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufeff\ufff9-\ufffb]/gu;

/** Entity stack: the open entities, from the outermost to the innermost. A level may have no entity. */
const createEntityStack = () => {
  const closedEntities: Entity[] = [];
  const levels: (OpenEntity | null)[] = [];
  return {
    closedEntities,
    depth: (): number => levels.length,
    isInside: (type: Entity['type']): boolean => levels.some((entity) => entity?.style.type === type),
    /** Starts the entities of the outermost levels that have no text yet. */
    start(offset: number, depth: number = levels.length): void {
      for (const entity of levels.slice(0, depth)) if (entity !== null) entity.start ??= offset;
    },
    /** Opens a level. It has no entity if the style is null, or inside another entity of the same type. */
    open(style: TextStyle | null): void {
      const isNested = style !== null && levels.some((entity) => entity?.style.type === style.type);
      levels.push(style === null || isNested ? null : { style, start: null });
    },
    /** Closes the innermost level. Its entity ends at this offset; an entity without text is omitted. */
    close(offset: number): void {
      const entity = levels.pop();
      if (!entity || entity.start === null) return;
      const length = offset - entity.start;
      if (length > 0) closedEntities.push({ ...entity.style, offset: entity.start, length });
    },
    /** Sets the language of the open code block, unless it has one. */
    nameLanguage(language: string): void {
      const block = levels.find((entity) => entity?.style.type === 'pre');
      if (block) block.style = { language, ...block.style };
    },
  };
};

/**
 * Creates a writer that lays out text like a browser: white space collapses, and line breaks are written only before
 * the next piece. So neither the text nor an entity starts or ends with white space. Offsets are UTF-16 units.
 */
export const createTextWriter = (maxLength: number) => {
  const stack = createEntityStack();
  let [text, pendingSpace, pendingBreaks] = ['', '', 0];
  let pendingBullet = { text: '', depth: 0 };
  let isCut = false;

  const write = (piece: string): void => {
    if (piece === '' || isCut) return;
    const separator = pendingBreaks > 0 ? '\n'.repeat(pendingBreaks) : pendingSpace;
    if (text !== '') text += separator;
    // A quote around a list contains its bullets; a link inside an item does not.
    stack.start(text.length, pendingBullet.depth);
    text += pendingBullet.text;
    stack.start(text.length);
    text += piece;
    [pendingSpace, pendingBreaks] = ['', 0];
    pendingBullet = { text: '', depth: 0 };
    isCut = text.length > maxLength;
  };

  const flow = (run: string): void => {
    for (const piece of run.split(/([ \t\n\r\f\u00a0]+)/)) {
      if (!/^[\s]+$/.test(piece)) write(piece.replace(UNPRINTABLE, ''));
      else if (pendingSpace === '' || pendingSpace === '\u00a0') pendingSpace = /^\u00a0+$/.test(piece) ? '\u00a0' : ' ';
    }
  };

  const verbatim = (piece: string): void => {
    for (const [index, line] of piece.replace(/\r\n?/g, '\n').split('\n').entries()) {
      if (index > 0) pendingBreaks += 1;
      write(line.replace(/\t/g, '    ').replace(UNPRINTABLE, ''));
    }
  };

  const close = (): void => stack.close(text.length);

  return {
    /** Writes text whose white space collapses. */
    flow,
    /**
     * Writes preformatted text, with its line breaks and spaces. Those at its ends are written only before the next
     * piece.
     */
    verbatim,
    /** Ends the line. Two line breaks in a row, that is one empty line, are the maximum. */
    endLine: () => {
      pendingBreaks = Math.min(pendingBreaks + 1, 2);
    },
    /** Sets a bullet to write before the next piece; '' removes it if no piece followed. */
    bullet: (bullet: string) => {
      pendingBullet = { text: bullet, depth: stack.depth() };
    },
    /** Requests at least this many line breaks before the next piece. */
    breakLine: (count: 1 | 2) => {
      pendingBreaks = Math.max(pendingBreaks, count);
    },
    /**
     * Opens an entity until the matching `close`. With null, and for an entity inside another of the same type, it only
     * opens a level without an entity.
     */
    open: stack.open,
    close,
    nameLanguage: stack.nameLanguage,
    isInside: stack.isInside,
    isCut: () => isCut,
    end: (): { text: string; entities: Entity[]; isCut: boolean } => {
      while (stack.depth() > 0) close();
      return { text, entities: stack.closedEntities, isCut };
    },
  };
};
