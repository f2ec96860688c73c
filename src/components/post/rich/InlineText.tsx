import { useMemo } from 'react';
import type { Words } from '../../../../contract/extra.ts';
import { toRuns } from '../../../../contract/runs.ts';
import { Inline } from '../../rich-text/Inline.tsx';
import { nest } from '../../rich-text/nest-runs.ts';
import type { AroundWords } from './block-context.ts';

interface LineProps {
  readonly words: Words;
  readonly around: AroundWords;
  /** Truncates the text at this offset. */
  readonly end?: number | undefined;
}

/** Inline text: renders a text with its entities within a line. Markup characters in it are shown as text. */
export function Line({ words: { text, entities }, around: { channel, place, find }, end }: LineProps) {
  const runs = useMemo(() => [...toRuns(text, entities), ...(find?.(text) ?? [])], [text, entities, find]);
  return <Inline branches={nest(text, runs, 0, end ?? text.length)} around={{ text, channel, place }} />;
}
