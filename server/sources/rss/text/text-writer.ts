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
export const createTextWriter = (most: number) => {
  const entities: Entity[] = [];
  const open: (OpenEntity | null)[] = [];
  let [text, space, breaks] = ['', '', 0];
  let bullet = { text: '', within: 0 };
  let isCut = false;

  const begin = (opened: readonly (OpenEntity | null)[]): void => {
    for (const each of opened) if (each !== null) each.start ??= text.length;
  };

  const write = (piece: string): void => {
    if (piece === '' || isCut) return;
    text += text === '' ? '' : breaks > 0 ? '\n'.repeat(breaks) : space;
    // A quote around a list contains its bullets; a link inside an item does not.
    begin(open.slice(0, bullet.within));
    text += bullet.text;
    begin(open);
    text += piece;
    [space, breaks] = ['', 0];
    bullet = { text: '', within: 0 };
    isCut = text.length > most;
  };

  const writeRun = (run: string): void => {
    for (const piece of run.split(/([ \t\n\r\f\u00a0]+)/)) {
      if (!/^[\s]+$/.test(piece)) write(piece.replace(UNPRINTABLE, ''));
      else if (space === '' || space === '\u00a0') space = /^\u00a0+$/.test(piece) ? '\u00a0' : ' ';
    }
  };

  const close = (): void => {
    const ended = open.pop();
    if (!ended || ended.start === null) return;
    const length = text.length - ended.start;
    if (length > 0) entities.push({ ...ended.style, offset: ended.start, length });
  };

  return {
    /** Writes text whose white space collapses. */
    flow: writeRun,
    /** Writes preformatted text, with its line breaks and spaces. Those at its ends are written only before the next piece. */
    verbatim: (piece: string) => {
      for (const [at, line] of piece.replace(/\r\n?/g, '\n').split('\n').entries()) {
        if (at > 0) breaks += 1;
        write(line.replace(/\t/g, '    ').replace(UNPRINTABLE, ''));
      }
    },
    /** Ends the line. Two line breaks in a row, that is one empty line, are the maximum. */
    endLine: () => {
      breaks = Math.min(breaks + 1, 2);
    },
    /** Sets a bullet to write before the next piece; '' removes it if no piece followed. */
    bullet: (mark: string) => {
      bullet = { text: mark, within: open.length };
    },
    /** Requests at least this many line breaks before the next piece. */
    breakLine: (count: 1 | 2) => {
      breaks = Math.max(breaks, count);
    },
    /**
     * Opens an entity until the matching `close`. With null, and for an entity inside another of the same type, it only opens a
     * level without an entity.
     */
    open: (mark: TextStyle | null) => {
      const isWithin = mark !== null && open.some((each) => each?.style.type === mark.type);
      open.push(mark === null || isWithin ? null : { style: mark, start: null });
    },
    /** Sets the language of the open code block, unless it has one. */
    nameLanguage: (language: string) => {
      const block = open.find((each) => each?.style.type === 'pre');
      if (block) block.style = { language, ...block.style };
    },
    close,
    isInside: (type: Entity['type']) => open.some((each) => each?.style.type === type),
    isCut: () => isCut,
    end: (): { text: string; entities: Entity[]; isCut: boolean } => {
      while (open.length > 0) close();
      return { text, entities, isCut };
    },
  };
};
