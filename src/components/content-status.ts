/*
 * Content status of a page in a tag on a third-party page: the parts of the page report that they load or have failed,
 * so that the tag knows when to replace the site's own content. The app's own pages have no content status.
 */
import { createContext, useContext, useLayoutEffect } from 'react';

export interface ContentStatus {
  /** Reports the state of one part of the page. Returns a function that withdraws the report. */
  report(this: void, state: ReportedState): () => void;
}

/** State of a part: the page itself is rendered, or a part of it is loading, or could not be shown. */
export type ReportedState = 'rendered' | 'loading' | 'failed';

export const ContentStatusContext = createContext<ContentStatus | undefined>(undefined);

/** Reports the state of a part while it is rendered; null reports nothing. */
export function useContentReport(state: ReportedState | null): void {
  const status = useContext(ContentStatusContext);
  useLayoutEffect(() => (state === null ? undefined : status?.report(state)), [status, state]);
}
