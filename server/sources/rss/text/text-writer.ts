import type { Entity } from '../../../../contract/post.ts';

/** What an entity is besides its place. */
export type Mark = Omit<Entity, 'offset' | 'length'>;

interface Open {
  mark: Mark;
  /** Where its first character stands; null until there is one. */
  start: number | null;
}

/** Control characters and halves of pairs say nothing; tabs and line feeds are white space. */
const UNSAID = /[\p{Cc}\p{Cs}\ufeff\ufff9-\ufffb]/gu;

/**
 * Writes text piece by piece as a browser would lay it out: white space collapses, breaks are written before what comes next,
 * and so neither the text nor an entity begins or ends with either. Offsets are UTF-16 units.
 */
export const textWriter = (most: number) => {
  const entities: Entity[] = [];
  const open: (Open | null)[] = [];
  let [text, space, breaks] = ['', '', 0];
  let bullet = { text: '', within: 0 };
  let isCut = false;

  const begin = (opened: readonly (Open | null)[]): void => {
    for (const each of opened) if (each !== null) each.start ??= text.length;
  };

  const write = (piece: string): void => {
    if (piece === '' || isCut) return;
    text += text === '' ? '' : breaks > 0 ? '\n'.repeat(breaks) : space;
    // A quote around a list holds its bullets; a link in an item does not.
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
      if (!/^[\s]+$/.test(piece)) write(piece.replace(UNSAID, ''));
      else if (space === '' || space === '\u00a0') space = /^\u00a0+$/.test(piece) ? '\u00a0' : ' ';
    }
  };

  const close = (): void => {
    const ended = open.pop();
    if (!ended || ended.start === null) return;
    const length = text.length - ended.start;
    if (length > 0) entities.push({ ...ended.mark, offset: ended.start, length });
  };

  return {
    /** Writes text whose white space collapses. */
    flow: writeRun,
    /** Writes text as it is, line breaks and spaces too; those at its ends still wait for what comes next. */
    verbatim: (piece: string) => {
      for (const [at, line] of piece.replace(/\r\n?/g, '\n').split('\n').entries()) {
        if (at > 0) breaks += 1;
        write(line.replace(/\t/g, '    ').replace(UNSAID, ''));
      }
    },
    /** Ends the line; more than one empty line is never seen. */
    endLine: () => {
      breaks = Math.min(breaks + 1, 2);
    },
    /** Puts this before what comes next; '' when nothing came. */
    bullet: (mark: string) => {
      bullet = { text: mark, within: open.length };
    },
    /** Asks for at least this many line breaks before what comes next. */
    breakLine: (count: 1 | 2) => {
      breaks = Math.max(breaks, count);
    },
    /** Opens an entity, or with null nothing, until the close that belongs to it; one within its own kind is nothing. */
    open: (mark: Mark | null) => {
      const isWithin = mark !== null && open.some((each) => each?.mark.type === mark.type);
      open.push(mark === null || isWithin ? null : { mark, start: null });
    },
    /** Names the language of the code block that is open, where none is named yet. */
    nameLanguage: (language: string) => {
      const block = open.find((each) => each?.mark.type === 'pre');
      if (block) block.mark = { language, ...block.mark };
    },
    close,
    isInside: (type: Entity['type']) => open.some((each) => each?.mark.type === type),
    isCut: () => isCut,
    end: (): { text: string; entities: Entity[]; isCut: boolean } => {
      while (open.length > 0) close();
      return { text, entities, isCut };
    },
  };
};
