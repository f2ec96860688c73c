import { useMemo } from 'react';
import type { FormattedText } from '../../../../contract/extra.ts';
import { toTextRuns } from '../../../../contract/runs.ts';
import { Inline } from '../../rich-text/Inline.tsx';
import { nestRuns } from '../../rich-text/nest-runs.ts';
import type { LineContext } from './block-context.ts';

interface InlineTextProps {
  readonly content: FormattedText;
  readonly context: LineContext;
  /** Truncates the text at this offset. */
  readonly end?: number | undefined;
}

/** Inline text: renders a text with its entities within a line. Markup characters in it are shown as text. */
export function InlineText({
  content: { text, entities },
  context: { channel, linkContext, findHighlights },
  end,
}: InlineTextProps) {
  const runs = useMemo(
    () => [...toTextRuns(text, entities), ...(findHighlights?.(text) ?? [])],
    [text, entities, findHighlights],
  );
  return <Inline branches={nestRuns(text, runs, 0, end ?? text.length)} context={{ text, channel, linkContext }} />;
}
