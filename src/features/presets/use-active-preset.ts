import { useEffect, useRef, useState } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { useServices } from '../../context/services.ts';
import type { Channels } from '../../data/model/client.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { presetPath } from './preset-text.ts';

/** The preset that is on, and the way to another; null is the whole line-up. */
export interface PresetChoice {
  readonly on: Preset | null;
  readonly all: readonly Preset[];
  choose(id: string | null): void;
}

/** A reader who comes back to the dial finds the preset still on; it dies with the reader's data area. */
const remembered = new WeakMap<Channels, string | null>();

/** Holds the preset of the dial: the address names it, and a visit remembers it unless the address asks for a number or a line-up. */
export function usePreset(params: Readonly<Record<string, string>> | undefined): PresetChoice {
  const { channels, site } = useServices();
  const all = useReadable(channels.presets);
  const asked = params?.preset;
  const isPlain = params?.n === undefined && params?.lineup === undefined;
  const [id, setId] = useState(() => asked ?? (isPlain ? (remembered.get(channels) ?? null) : null));
  const before = useRef(asked);
  useEffect(() => {
    if (asked !== before.current) setId(asked ?? null);
    before.current = asked;
  }, [asked]);
  const on = all.find((preset) => preset.id === id) ?? null;
  const shown = on?.id;
  useEffect(() => {
    remembered.set(channels, shown ?? null);
    // Also where the address says nothing (coming back) or what is no more.
    if (before.current !== shown && !site.embedded && (shown !== undefined || before.current !== undefined)) {
      before.current = shown;
      site.navigate(presetPath('/changer', shown), { replace: true });
    }
  }, [channels, site, shown]);
  return { on, all, choose: setId };
}
