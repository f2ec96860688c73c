import { useRef, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { sizeText } from '../../components/media/format-media.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import choice from '../../components/styles/segmented-control.css';
import sheet from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import { type SavedChannel, type SavedChannels, savedChannelsOf } from '../../data/background/saved-channels.ts';
import type { DataContext } from '../../data/context.ts';
import { RETENTION_LEVELS, type RetentionLevel, readRetentionLevel, saveRetentionLevel } from '../../data/offline/retention.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import styles from './saved-channels.css';

const STYLES = sheet + choice + styles;

interface SavedChannelsSheetProps {
  /** Channels to save together: one channel, or those of a preset; null only lists what is saved. */
  readonly target: { readonly name: string; readonly channelIds: readonly string[] } | null;
  readonly onClose: () => void;
}

/** Saved channels: saves complete channels for offline reading, and lists the saved ones. */
export function SavedChannelsSheet(props: SavedChannelsSheetProps) {
  const { context } = useServices().dataClient;
  const style = useStylesheet(STYLES);
  const hasMessages = useAreaMessages('saved');
  return <div ref={style}>{hasMessages && context !== undefined && <SavedChannelsContent {...props} context={context} />}</div>;
}

function SavedChannelsContent({ target, onClose, context }: SavedChannelsSheetProps & { readonly context: DataContext }) {
  const m = useMsg();
  const { dataClient } = useServices();
  const savedChannels = savedChannelsOf(context);
  const saves = useSignalValue(savedChannels);
  const directory = useSignalValue(dataClient.directory);
  const channels = directory.type === 'loaded' ? directory.value : [];
  const [announcement, announce] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const remove = (channelIds: readonly string[], name: string) => {
    void savedChannels.release(channelIds);
    announce(m.msg(str`${name} is not saved any more`));
    // The pressed button disappears, so the first button of the dialog gets the focus.
    body.current?.closest('dialog')?.querySelector('button')?.focus();
  };
  const others = [...(saves ?? [])].filter(
    ([id]) => target === null || target.channelIds.length > 1 || !target.channelIds.includes(id),
  );
  return (
    <Sheet title={target === null ? m.msg('Saved for offline') : m.msg('Save for offline')} onClose={onClose}>
      {target !== null && saves !== null && (
        <SaveControls {...{ target, savedChannels, saves, onClose }} onRemove={() => remove(target.channelIds, target.name)} />
      )}
      {others.length > 0 && (
        <>
          <h3 className="saved-head">{m.msg('Saved on this device')}</h3>
          <ul className="saved">
            {others.map(([id, save]) => {
              const title = titleOf(channels, id);
              return <SavedRow key={id} {...{ save, title }} onRemove={() => remove([id], title)} />;
            })}
          </ul>
        </>
      )}
      {target === null && <RetentionChoice />}
      {target === null && saves?.size === 0 && (
        <p className="save-text">{m.msg('Nothing is saved yet. Save a channel on its page, or a preset in the dial.')}</p>
      )}
      <div ref={body} className="hidden" role="status">
        {announcement}
      </div>
    </Sheet>
  );
}

/** Retention levels in the order of the control. */
const RETENTION_NAMES: readonly RetentionLevel[] = ['little', 'usual', 'much'];

/** Setting: number of posts of every followed channel that are stored automatically. */
function RetentionChoice() {
  const m = useMsg();
  const [chosen, setChosen] = useState(readRetentionLevel);
  const choose = (name: RetentionLevel) => {
    saveRetentionLevel(name);
    setChosen(name);
  };
  const label = (name: RetentionLevel) => m.plural(RETENTION_LEVELS[name].posts, m.msg('one: # post | other: # posts'));
  const options = RETENTION_NAMES.map((value) => ({ value, label: label(value) }));
  return <SegmentedControl legend={m.msg('Save for every channel that you follow')} {...{ options, chosen, choose }} />;
}

const titleOf = (channels: readonly Channel[], id: string): string => channels.find((channel) => channel.id === id)?.title ?? id;

function SaveControls({
  target: { name, channelIds },
  savedChannels,
  saves,
  onRemove,
  onClose,
}: {
  readonly target: NonNullable<SavedChannelsSheetProps['target']>;
  readonly savedChannels: SavedChannels;
  /** All saves on this device, by channel id. */
  readonly saves: ReadonlyMap<string, SavedChannel>;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}) {
  const m = useMsg();
  const { msg } = m;
  const saved = combineSaves(channelIds.map((id) => saves.get(id)));
  const [hasStarted, setHasStarted] = useState(false);
  const save = () => {
    setHasStarted(true);
    savedChannels.save(channelIds);
  };
  const next = nextActionOf(m, saved?.state);
  const actions = { save, stop: () => savedChannels.stop(channelIds), close: onClose };
  return (
    <>
      <p className="save-text">
        {msg(str`All posts of ${name} and their pictures stay on this device, to be read without a network.`)}
      </p>
      {saved !== null && (
        <div className="save-state">
          <p>{stateText(m, saved)}</p>
          {saved.state === 'saving' && <progress aria-label={msg('Saved so far')} value={saved.progress} />}
          <small>{savedSizeText(m, saved)}</small>
        </div>
      )}
      {/* The progress is not announced continuously, only the changes of state. */}
      <p className="hidden" role="status">
        {hasStarted && saved !== null && `${stateText(m, saved)} ${saved.state === 'saving' ? '' : savedSizeText(m, saved)}`}
      </p>
      <div className="save-acts">
        {saved !== null && saved.state !== 'saving' && (
          <button type="button" className="button plain" onClick={onRemove}>
            {msg('Remove')}
          </button>
        )}
        {/* A single button, so that the focus stays when the state changes. */}
        <button type="button" className={next.action === 'save' ? 'button' : 'button quiet'} onClick={actions[next.action]}>
          {next.label}
        </button>
      </div>
    </>
  );
}

/** Returns the next action of the reader, by the state of the save. */
function nextActionOf({ msg }: Messages, state: SavedChannel['state'] | undefined) {
  switch (state) {
    case 'saving':
      return { action: 'stop', label: msg('Stop') } as const;
    case 'complete':
      return { action: 'close', label: msg('Close') } as const;
    case undefined:
      return { action: 'save', label: msg('Save') } as const;
    default:
      return { action: 'save', label: msg('Continue') } as const;
  }
}

function SavedRow({
  save,
  title,
  onRemove,
}: {
  readonly save: SavedChannel;
  readonly title: string;
  readonly onRemove: () => void;
}) {
  const m = useMsg();
  return (
    <li>
      <span>
        <bdi>{title}</bdi>
        <small>{save.state === 'complete' ? savedSizeText(m, save) : `${stateText(m, save)} ${savedSizeText(m, save)}`}</small>
      </span>
      <button type="button" className="icon-button" aria-label={m.msg(str`Remove ${title}`)} onClick={onRemove}>
        <AnyIcon name="close" />
      </button>
    </li>
  );
}

const savedSizeText = (m: Messages, { posts, bytes }: SavedChannel): string =>
  [m.plural(posts, m.msg('one: # post | other: # posts')), bytes > 0 && sizeText(m, bytes)].filter(Boolean).join(' · ');

function stateText({ msg }: Messages, { state }: SavedChannel): string {
  switch (state) {
    case 'saving':
      return msg('Being saved…');
    case 'complete':
      return msg('All posts are saved. New ones are saved automatically.');
    case 'stopped':
      return msg('Stopped. What is already saved stays.');
    case 'unreachable':
      return msg('No answer. Saving continues when the network is back.');
    case 'full':
      return msg('This device has no more space. What is already saved stays.');
    case 'rejected':
      return msg('The server sent no more. What is already saved stays.');
  }
}

/** Priority of the states, if the channels of a preset differ. */
const STATE_PRIORITY: readonly SavedChannel['state'][] = ['saving', 'full', 'rejected', 'unreachable', 'stopped', 'complete'];

/** Combines several saves into one; null if none has started. */
function combineSaves(saves: readonly (SavedChannel | undefined)[]): SavedChannel | null {
  const started = saves.flatMap((save) => save ?? []);
  if (started.length === 0) return null;
  const isIncomplete = started.length < saves.length;
  const state = STATE_PRIORITY.find((candidate) => started.some((save) => save.state === candidate)) ?? 'complete';
  return {
    state: isIncomplete && state === 'complete' ? 'stopped' : state,
    posts: started.reduce((sum, { posts }) => sum + posts, 0),
    bytes: started.reduce((sum, { bytes }) => sum + bytes, 0),
    progress: started.reduce((sum, { progress }) => sum + progress, 0) / saves.length,
  };
}
