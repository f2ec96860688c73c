import { useEffect, useRef } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { PageLink } from '../../components/Link.tsx';
import { UnreadCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { isShortcutEvent, readSingleKeyShortcuts, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { parseFeedFilterName } from '../feed/feed-params.ts';
import { nextPreset, presetPath, presetText, unreadOfPreset } from './preset-text.ts';

interface PresetChipsProps {
  readonly presets: readonly Preset[];
  /** Parameters of the page's URL: `preset` is the active preset, `show` the filter of the feed. */
  readonly params: Readonly<Record<string, string>>;
}

/** Preset chips: presets as filters of the feed, next to the other filters; the key P activates the next one. */
export function PresetChips({ presets, params }: PresetChipsProps) {
  const m = useMsg();
  const { dataClient, environment } = useServices();
  const lineup = useSignalValue(dataClient.lineup);
  const active = presets.find(({ id }) => id === params.preset) ?? null;
  const show = parseFeedFilterName(params.show);
  // The key listener reads the values of the latest render.
  const latest = useRef({ presets, active, show });
  useEffect(() => {
    latest.current = { presets, active, show };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const current = latest.current;
      if (
        shortcutLetter(event) !== 'p' ||
        event.altKey ||
        !isShortcutEvent(event) ||
        !readSingleKeyShortcuts() ||
        current.presets.length === 0
      )
        return;
      event.preventDefault();
      environment.navigate(presetPath('/main', nextPreset(current.presets, current.active)?.id, current.show), { replace: true });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [environment]);
  const status = useRef<HTMLSpanElement>(null);
  // Scrolls the chips to the active one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when another preset becomes active
  useEffect(() => {
    const chip = status.current?.parentElement?.querySelector('[aria-current]');
    chip?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  }, [active?.id]);
  const followed = lineup.type === 'loaded' ? lineup.value.filter((row) => row.followed) : [];
  // The other filters, for starred posts and for files, show no unread counts.
  const isCounted = show === 'all' || show === 'unread';
  return (
    <>
      {/* The chip of the active preset links to all posts of the preset, without another filter. */}
      {presets.map((preset) => (
        <PageLink
          key={preset.id}
          className="chip"
          linkContext={environment}
          path={presetPath('/main', preset.id, preset === active ? 'all' : show)}
          {...(preset === active && { 'aria-current': show === 'all' ? 'page' : 'true' })}
        >
          <bdi>{preset.name}</bdi>
          {isCounted && <ChipCount count={unreadOfPreset(preset, followed)} />}
        </PageLink>
      ))}
      <span ref={status} className="hidden" role="status">
        {active !== null && presetText(m, active, followed)}
      </span>
    </>
  );
}

/** Unread count of a chip, with the same style as the count of the filter for unread posts. */
const ChipCount = ({ count }: { readonly count: number }) => (
  <b className={count === 0 ? 'none' : undefined}>
    <UnreadCount count={count} />
  </b>
);
