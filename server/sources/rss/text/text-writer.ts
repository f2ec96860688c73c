/** Text writer: builds plain text with entities piece by piece, with the white space rules of HTML. */
import type { Entity } from '../../../../contract/post.ts';

/** An entity without its position. */
export type TextStyle = Omit<Entity, 'offset' | 'length'>;

interface OpenEntity {
  style: TextStyle;
  /** Position of its first character; null until there is one. */
  start: number | null;
}

/** Control characters, unpaired surrogates and invisible marks are removed. Tabs and line feeds are handled earlier. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufeff\ufff9-\ufffb]/gu;

/**
 * Creates a writer that lays out text like a browser: white space collapses, and line breaks are written only before the next
 * piece. So neither the text nor an entity starts or ends with white space. Offsets are UTF-16 units.
 */
export const createTextWriter = (maxLength: number) => {
  const entities: Entity[] = [];
  const openEntities: (OpenEntity | null)[] = [];
  let [text, pendingSpace, pendingBreaks] = ['', '', 0];
  let pendingBullet = { text: '', within: 0 };
  let isCut = false;

  const startEntities = (openEntities: readonly (OpenEntity | null)[]): void => {
    for (const entity of openEntities) if (entity !== null) entity.start ??= text.length;
  };

  const write = (piece: string): void => {
    if (piece === '' || isCut) return;
    text += text === '' ? '' : pendingBreaks > 0 ? '\n'.repeat(pendingBreaks) : pendingSpace;
    // A quote around a list contains its bullets; a link inside an item does not.
    startEntities(openEntities.slice(0, pendingBullet.within));
    text += pendingBullet.text;
    startEntities(openEntities);
    text += piece;
    [pendingSpace, pendingBreaks] = ['', 0];
    pendingBullet = { text: '', within: 0 };
    isCut = text.length > maxLength;
  };

  const writeRun = (run: string): void => {
    for (const piece of run.split(/([ \t\n\r\f\u00a0]+)/)) {
      if (!/^[\s]+$/.test(piece)) write(piece.replace(UNPRINTABLE, ''));
      else if (pendingSpace === '' || pendingSpace === '\u00a0') pendingSpace = /^\u00a0+$/.test(piece) ? '\u00a0' : ' ';
    }
  };

  const close = (): void => {
    const closed = openEntities.pop();
    if (!closed || closed.start === null) return;
    const length = text.length - closed.start;
    if (length > 0) entities.push({ ...closed.style, offset: closed.start, length });
  };

  return {
    /** Writes text whose white space collapses. */
    flow: writeRun,
    /** Writes preformatted text, with its line breaks and spaces. Those at its ends are written only before the next piece. */
    verbatim: (piece: string) => {
      for (const [at, line] of piece.replace(/\r\n?/g, '\n').split('\n').entries()) {
        if (at > 0) pendingBreaks += 1;
        write(line.replace(/\t/g, '    ').replace(UNPRINTABLE, ''));
      }
    },
    /** Ends the line. Two line breaks in a row, that is one empty line, are the maximum. */
    endLine: () => {
      pendingBreaks = Math.min(pendingBreaks + 1, 2);
    },
    /** Sets a bullet to write before the next piece; '' removes it if no piece followed. */
    bullet: (mark: string) => {
      pendingBullet = { text: mark, within: openEntities.length };
    },
    /** Requests at least this many line breaks before the next piece. */
    breakLine: (count: 1 | 2) => {
      pendingBreaks = Math.max(pendingBreaks, count);
    },
    /**
     * Opens an entity until the matching `close`. With null, and for an entity inside another of the same type, it only opens a
     * level without an entity.
     */
    open: (mark: TextStyle | null) => {
      const isWithin = mark !== null && openEntities.some((entity) => entity?.style.type === mark.type);
      openEntities.push(mark === null || isWithin ? null : { style: mark, start: null });
    },
    /** Sets the language of the open code block, unless it has one. */
    nameLanguage: (language: string) => {
      const block = openEntities.find((entity) => entity?.style.type === 'pre');
      if (block) block.style = { language, ...block.style };
    },
    close,
    isInside: (type: Entity['type']) => openEntities.some((entity) => entity?.style.type === type),
    isCut: () => isCut,
    end: (): { text: string; entities: Entity[]; isCut: boolean } => {
      while (openEntities.length > 0) close();
      return { text, entities, isCut };
    },
  };
};
