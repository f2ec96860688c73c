import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { appendChannels, createPresetId, replaceLineup, savePreset } from '../../data/lineup/operations.ts';
import type { LineupOperation, Undoable } from '../../data/model/types.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { channelCount } from '../presets/preset-text.ts';
import styles from './import-export.css';
import { focusOnMount, type ImportExportProps } from './shared.ts';
import { type ReceivedLineup, useReceivedLineup } from './use-received-lineup.ts';

interface ReceivedLineupSheetProps extends ImportExportProps {
  /** Code of the line-up in the URL. */
  readonly code: string;
}

/**
 * Received line-up: shows a shared line-up, with actions that replace the reader's own line-up by it, merge it into the
 * reader's own, or save it as a preset.
 */
export function ReceivedLineupSheet(props: ReceivedLineupSheetProps) {
  const hasMessages = useAreaMessages('exchange');
  const style = useStylesheet(styles);
  return <div ref={style}>{hasMessages && <ReceivedLineupContent {...props} />}</div>;
}

function ReceivedLineupContent({ code, rows, change }: ReceivedLineupSheetProps) {
  const m = useMsg();
  const { environment } = useServices();
  // Removes the code from the URL, so that neither Back nor a reload opens the sheet again.
  const onClose = () => environment.navigate('/changer', { replace: true });
  const { shared, retry } = useReceivedLineup(code, rows);
  const title = shared.type === 'found' && shared.name !== '' ? shared.name : m.msg('A shared line-up');
  return (
    <Sheet title={title} onClose={onClose}>
      <div className="exchange">
        {shared.type === 'rejected' ? (
          <p className="sheet-note" role="alert">
            {shared.reason === 'broken'
              ? m.msg('This link is broken: some of it is missing or was changed. Ask for it again.')
              : m.msg('This link is too long to be a line-up.')}
          </p>
        ) : shared.type === 'loading' ? (
          <p className="sheet-note" role="status">
            {m.msg('Looking for its channels…')}
          </p>
        ) : (
          <FoundLineup {...{ shared, rows, change, onRetry: retry, onClose }} />
        )}
        {(shared.type !== 'found' || shared.channels.length === 0) && (
          <div className="sheet-actions">
            <button type="button" className="button" onClick={onClose}>
              {m.msg('OK')}
            </button>
          </div>
        )}
      </div>
    </Sheet>
  );
}

interface FoundLineupProps extends Pick<ReceivedLineupSheetProps, 'rows' | 'change'> {
  readonly shared: Extract<ReceivedLineup, { type: 'found' }>;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

function FoundLineup({ shared, rows, change, onRetry, onClose }: FoundLineupProps) {
  const m = useMsg();
  const { dataClient } = useServices();
  const ids = shared.channels.map(({ id }) => id);
  const [followed] = useState(() => new Set(rows.filter((row) => row.followed).map((row) => row.channel.id)));
  const newIds = ids.filter((id) => !followed.has(id));
  const apply: ApplyLineup = (action, operation, text) => {
    onClose();
    change({ action, channelId: null }, operation, text);
    // Only after the change: a default line-up contains all channels of the directory. If they were added before, an
    // undo would leave these channels in the line-up.
    for (const channel of shared.channels) if (!rows.some((row) => row.channel.id === channel.id)) dataClient.addChannel(channel);
  };
  return (
    <>
      <p className="sheet-note" tabIndex={-1} ref={focusOnMount}>
        {ids.length === 0 ? m.msg('None of its channels is available to you.') : `${channelCount(m, ids.length)}.`}
        {newIds.length > 0 && ` ${m.plural(newIds.length, m.msg('one: # is new to you. | other: # are new to you.'))}`}
        {shared.unavailableCount > 0 &&
          ` ${m.plural(shared.unavailableCount, m.msg('one: # is left out: it is not here, or private. | other: # are left out: they are not here, or private.'))}`}
        {shared.isUnreachable && (
          <>
            {' '}
            {m.msg('Some of them could not be checked.')}{' '}
            <button type="button" className="link" onClick={onRetry}>
              {m.msg('Try again')}
            </button>
          </>
        )}
      </p>
      {ids.length > 0 && (
        <>
          <SharedChannelList channels={shared.channels} followed={followed} />
          <div className="shared-ways">
            <LineupChoices {...{ name: shared.name, ids, newIds, followed, apply }} />
            <button type="button" className="button plain" onClick={onClose}>
              {m.msg('Not now')}
            </button>
          </div>
        </>
      )}
    </>
  );
}

interface SharedChannelListProps {
  readonly channels: readonly Channel[];
  readonly followed: ReadonlySet<string>;
}

function SharedChannelList({ channels, followed }: SharedChannelListProps) {
  const m = useMsg();
  const { environment } = useServices();
  return (
    <ol className="shared-channels">
      {channels.map((channel, index) => (
        <li key={channel.id}>
          <span className="row-number">{m.number(index + 1)}</span>
          <Avatar channel={channel} base={environment.baseUrl} size="s" />
          <span className="shared-name">
            <bdi>{channel.title}</bdi>
          </span>
          {!followed.has(channel.id) && <small>{m.msg('New')}</small>}
        </li>
      ))}
    </ol>
  );
}

/** Changes the line-up, announces the text, and closes the sheet. */
type ApplyLineup = (action: Undoable['action'], operation: LineupOperation, text: string) => void;

interface LineupChoicesProps {
  /** Name of the shared line-up, '' for none. */
  readonly name: string;
  readonly ids: readonly string[];
  /** The ids that the reader does not follow. */
  readonly newIds: readonly string[];
  /** Ids of the channels that the reader followed when the sheet opened, in the reader's order. */
  readonly followed: ReadonlySet<string>;
  readonly apply: ApplyLineup;
}

/** Buttons of the actions on a received line-up: merge, replace, or save as a preset. */
function LineupChoices({ name, ids, newIds, followed, apply }: LineupChoicesProps) {
  const m = useMsg();
  const unfollowedCount = [...followed].filter((id) => !ids.includes(id)).length;
  const isSame = newIds.length === 0 && [...followed].join() === ids.join();
  const preset = { id: createPresetId(), name: name === '' ? m.msg('Shared') : name, channelIds: [...ids] };
  return (
    <>
      {isSame && <p className="sheet-note">{m.msg('Your line-up is already the same.')}</p>}
      {newIds.length > 0 && (
        <LineupChoiceButton
          name={m.msg('Merge')}
          description={m.plural(
            newIds.length,
            m.msg('one: Adds # channel at the end of yours | other: Adds # channels at the end of yours'),
          )}
          onClick={() =>
            apply(
              'merge',
              appendChannels(ids),
              m.plural(newIds.length, m.msg('one: Merged: # new channel | other: Merged: # new channels')),
            )
          }
        />
      )}
      {!isSame && (
        <LineupChoiceButton
          name={m.msg('Replace mine')}
          description={m.plural(
            unfollowedCount,
            m.msg(
              '=0: Yours gets its order | one: Replaces yours: # of your channels is unfollowed | other: Replaces yours: # of your channels are unfollowed',
            ),
          )}
          onClick={() => apply('take', replaceLineup(ids), m.msg(str`Replaced your line-up: ${channelCount(m, ids.length)}`))}
        />
      )}
      <LineupChoiceButton
        name={m.msg('Save as a preset')}
        description={m.plural(
          newIds.length,
          m.msg(
            '=0: To switch to by its name | one: To switch to by its name; adds # channel | other: To switch to by its name; adds # channels',
          ),
        )}
        onClick={() =>
          apply(
            'preset',
            (contents, now) => savePreset(preset)(appendChannels(ids)(contents, now), now),
            m.msg(str`Saved as preset ${preset.name}`),
          )
        }
      />
    </>
  );
}

interface LineupChoiceButtonProps {
  readonly name: string;
  /** Short description of the effect. */
  readonly description: string;
  readonly onClick: () => void;
}

function LineupChoiceButton({ name, description, onClick }: LineupChoiceButtonProps) {
  return (
    <button type="button" className="shared-way" onClick={onClick}>
      <b>{name}</b>
      <small>{description}</small>
    </button>
  );
}
