import { useMemo } from 'react';
import type { Words } from '../../../../contract/extra.ts';
import { toRuns } from '../../../../contract/runs.ts';
import { Inline } from '../../rich-text/Inline.tsx';
import { nest } from '../../rich-text/nest-runs.ts';
import type { AroundWords } from './block-context.ts';

interface LineProps {
  readonly words: Words;
  readonly around: AroundWords;
  /** Shows the words only up to here. */
  readonly end?: number | undefined;
}

/** Words with their entities, within a line; what is markup in them stays text. */
export function Line({ words: { text, entities }, around: { channel, place, find }, end }: LineProps) {
  const runs = useMemo(() => [...toRuns(text, entities), ...(find?.(text) ?? [])], [text, entities, find]);
  return <Inline branches={nest(text, runs, 0, end ?? text.length)} around={{ text, channel, place }} />;
}
