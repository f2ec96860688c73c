import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { ActivePreset } from '../presets/use-active-preset.ts';

interface DialToolbarProps {
  readonly preset: ActivePreset;
  readonly isSearching: boolean;
  readonly onPresets: () => void;
  readonly onSearch: () => void;
  readonly undo: () => void;
}

/** Dial toolbar in the page header: the active preset, the search in the line-up, and the undo button. */
export function DialToolbar({ preset, isSearching, onPresets, onSearch, undo }: DialToolbarProps) {
  const { msg } = useMsg();
  const undoable = useSignalValue(useServices().dataClient.undoable);
  const allText = preset.all.length === 0 ? msg('Presets') : msg('All channels');
  return (
    <>
      <button
        type="button"
        className="chip preset-chip"
        aria-haspopup="dialog"
        aria-pressed={preset.active !== null}
        onClick={onPresets}
      >
        <bdi>{preset.active?.name ?? allText}</bdi>
        <AnyIcon name="down" small />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-expanded={isSearching}
        aria-label={msg('Search the line-up')}
        title={msg('Search the line-up')}
        onClick={onSearch}
      >
        <Icon name="search" />
      </button>
      <button
        type="button"
        className="icon-button dial-undo"
        aria-disabled={undoable === null}
        aria-label={msg('Undo')}
        title={msg('Undo')}
        onClick={undo}
      >
        <AnyIcon name="undo" />
      </button>
    </>
  );
}
