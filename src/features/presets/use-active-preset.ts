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

/** Id of the preset that was active last, by data layer: it is active again when the reader returns to the dial. */
const rememberedPresets = new WeakMap<DataClient, string | null>();

/**
 * Manages the active preset of the dial. The URL names it; without a preset in the URL, the last one is restored,
 * unless the URL requests a number or a line-up.
 */
export function useActivePreset(params: Readonly<Record<string, string>> | undefined): ActivePreset {
  const { dataClient, environment } = useServices();
  const all = useSignalValue(dataClient.presets);
  const requestedId = params?.preset;
  const canRestore = params?.n === undefined && params?.lineup === undefined;
  const [id, setId] = useState(() => requestedId ?? (canRestore ? (rememberedPresets.get(dataClient) ?? null) : null));
  const lastRequestedId = useRef(requestedId);
  useEffect(() => {
    if (requestedId !== lastRequestedId.current) setId(requestedId ?? null);
    lastRequestedId.current = requestedId;
  }, [requestedId]);
  const active = all.find((preset) => preset.id === id) ?? null;
  const activeId = active?.id;
  useEffect(() => {
    rememberedPresets.set(dataClient, activeId ?? null);
    // Updates the URL also if it names no preset (on return) or one that no longer exists.
    if (
      lastRequestedId.current !== activeId &&
      !environment.embedded &&
      (activeId !== undefined || lastRequestedId.current !== undefined)
    ) {
      lastRequestedId.current = activeId;
      environment.navigate(presetPath('/changer', activeId), { replace: true });
    }
  }, [dataClient, environment, activeId]);
  return { active, all, choose: setId };
}
