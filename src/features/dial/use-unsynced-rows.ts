import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';

/** A server that is there has answered by then, ms. */
const LONG_ENOUGH = 3000;
/** A change is dated a moment before it is told that it waits, ms. */
const MOMENT = 50;
const NONE: ReadonlySet<string> = new Set();

/** What of the line-up has not reached the server. */
export interface Unsaved {
  /** The channels that were changed since it was last saved. */
  readonly ids: ReadonlySet<string>;
  /** The server has refused it or does not answer, though there is a network. */
  readonly failed: boolean;
}

/** Tells which rows wait to be saved, and whether that failed; those of an earlier visit are not told apart. */
export function useUnsaved(rows: readonly LineupRow[]): Unsaved {
  const { channels } = useServices();
  const saving = useReadable(channels.saving);
  const { type } = saving;
  const connection = useReadable(channels.connection);
  const [since, setSince] = useState<number | null>(null);
  const [late, setLate] = useState(false);
  const before = useRef(type);
  useEffect(() => {
    if (type === 'saved') setSince(null);
    else if (before.current === 'saved') setSince(Date.now() - MOMENT);
    before.current = type;
    setLate(false);
    if (type !== 'waiting') return;
    const timer = setTimeout(() => setLate(true), LONG_ENOUGH);
    return () => clearTimeout(timer);
  }, [type]);
  const changed = since === null ? [] : rows.filter((row) => (row.entry.changed ?? 0) >= since);
  const ids = changed.length === 0 ? NONE : new Set(changed.map((row) => row.channel.id));
  const isRefused = saving.type === 'refused' && saving.what === 'lineup';
  return { ids, failed: isRefused || (late && connection !== 'offline') };
}
