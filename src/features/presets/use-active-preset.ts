import { useEffect, useRef, useState } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { useServices } from '../../context/services.ts';
import type { DataClient } from '../../data/model/client.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { presetPath } from './preset-text.ts';

/** Active preset, and a function that selects another; null is the complete line-up. */
export interface ActivePreset {
  readonly active: Preset | null;
  readonly all: readonly Preset[];
  choose(id: string | null): void;
}

/** A reader who returns to the dial finds the preset still active; removed together with the reader's data layer. */
const rememberedPresets = new WeakMap<DataClient, string | null>();

/**
 * Manages the active preset of the dial. The URL names it; without a preset in the URL, the last one is restored, unless the
 * URL requests a number or a line-up.
 */
export function useActivePreset(params: Readonly<Record<string, string>> | undefined): ActivePreset {
  const { dataClient: channels, environment: site } = useServices();
  const all = useSignalValue(channels.presets);
  const asked = params?.preset;
  const isPlain = params?.n === undefined && params?.lineup === undefined;
  const [id, setId] = useState(() => asked ?? (isPlain ? (rememberedPresets.get(channels) ?? null) : null));
  const before = useRef(asked);
  useEffect(() => {
    if (asked !== before.current) setId(asked ?? null);
    before.current = asked;
  }, [asked]);
  const on = all.find((preset) => preset.id === id) ?? null;
  const shown = on?.id;
  useEffect(() => {
    rememberedPresets.set(channels, shown ?? null);
    // Also if the URL names no preset (on return) or one that no longer exists.
    if (before.current !== shown && !site.embedded && (shown !== undefined || before.current !== undefined)) {
      before.current = shown;
      site.navigate(presetPath('/changer', shown), { replace: true });
    }
  }, [channels, site, shown]);
  return { active: on, all, choose: setId };
}
