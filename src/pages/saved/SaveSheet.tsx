import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Inside } from '../../channels/inside.ts';
import { type Save, type Saves, savesOf } from '../../channels/saves.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/words.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import { sizeText } from '../../ui/media/measures.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import sheet from '../../ui/sheet.css';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { useStyle } from '../use-style.ts';
import styles from './save.css';

const STYLES = sheet + styles;

interface SaveSheetProps {
  /** What is saved together: a channel, or a preset's; null shows only what was saved. */
  readonly wanted: { readonly name: string; readonly channelIds: readonly string[] } | null;
  readonly onClose: () => void;
}

/** Saves channels whole for offline, and says what was saved. */
export function SaveSheet(props: SaveSheetProps) {
  const { inside } = useServices().channels;
  const style = useStyle(STYLES);
  const worded = useWords('saved');
  return <div ref={style}>{worded && inside !== undefined && <Opened {...props} inside={inside} />}</div>;
}

function Opened({ wanted, onClose, inside }: SaveSheetProps & { readonly inside: Inside }) {
  const m = useMsg();
  const { channels } = useServices();
  const saves = savesOf(inside);
  const all = useReadable(saves);
  const directory = useReadable(channels.directory);
  const known = directory.type === 'loaded' ? directory.value : [];
  const others = [...(all ?? [])].filter(
    ([id]) => wanted === null || wanted.channelIds.length > 1 || !wanted.channelIds.includes(id),
  );
  return (
    <Sheet title={wanted === null ? m.msg('Saved for offline') : m.msg('Save for offline')} onClose={onClose}>
      {wanted !== null && all !== null && <Wanted {...{ wanted, saves, all }} />}
      {others.length > 0 && (
        <>
          <h3 className="saved-head">{m.msg('Saved on this device')}</h3>
          <ul className="saved">
            {others.map(([id, save]) => (
              <SavedRow key={id} {...{ save, title: titleOf(known, id) }} onRemove={() => void saves.letGo([id])} />
            ))}
          </ul>
        </>
      )}
      {wanted === null && all?.size === 0 && (
        <p className="save-text">{m.msg('Nothing is saved yet. Save a channel on its page, or a preset in the dial.')}</p>
      )}
    </Sheet>
  );
}

const titleOf = (known: readonly Channel[], id: string): string => known.find((channel) => channel.id === id)?.title ?? id;

function Wanted({
  wanted: { name, channelIds },
  saves,
  all,
}: {
  readonly wanted: NonNullable<SaveSheetProps['wanted']>;
  readonly saves: Saves;
  readonly all: ReadonlyMap<string, Save>;
}) {
  const m = useMsg();
  const { msg } = m;
  const save = together(channelIds.map((id) => all.get(id)));
  const [said, say] = useState(false);
  const go = () => {
    say(true);
    saves.save(channelIds);
  };
  return (
    <>
      <p className="save-text">
        {msg(str`All posts of ${name} and their pictures stay on this device, to be read without a network.`)}
      </p>
      {save !== null && (
        <div className="save-state">
          <p>{stateText(m, save)}</p>
          {save.state === 'saving' && <progress aria-label={msg('Saved so far')} value={save.share} />}
          <small>{amount(m, save)}</small>
        </div>
      )}
      {/* Counting aloud would never end: how it ends is told. */}
      <p className="hidden" role="status">
        {said && save !== null && `${stateText(m, save)} ${save.state === 'saving' ? '' : amount(m, save)}`}
      </p>
      <div className="save-acts">
        {save !== null && save.state !== 'saving' && (
          <button type="button" className="button plain" onClick={() => void saves.letGo(channelIds)}>
            {msg('Remove')}
          </button>
        )}
        {save?.state === 'saving' ? (
          <button type="button" className="button quiet" onClick={() => saves.stop(channelIds)}>
            {msg('Stop')}
          </button>
        ) : (
          save?.state !== 'whole' && (
            <button type="button" className="button" onClick={go}>
              {save === null ? msg('Save') : msg('Go on')}
            </button>
          )
        )}
      </div>
    </>
  );
}

function SavedRow({ save, title, onRemove }: { readonly save: Save; readonly title: string; readonly onRemove: () => void }) {
  const m = useMsg();
  return (
    <li>
      <span>
        <bdi>{title}</bdi>
        <small>{save.state === 'whole' ? amount(m, save) : `${stateText(m, save)} ${amount(m, save)}`}</small>
      </span>
      <button type="button" className="icon-button" aria-label={m.msg(str`Remove ${title}`)} onClick={onRemove}>
        <AnyIcon name="close" />
      </button>
    </li>
  );
}

const amount = (m: Messages, { posts, bytes }: Save): string =>
  [m.plural(posts, m.msg('one: # post | other: # posts')), bytes > 0 && sizeText(m, bytes)].filter(Boolean).join(' · ');

function stateText({ msg }: Messages, { state }: Save): string {
  switch (state) {
    case 'saving':
      return msg('Being saved…');
    case 'whole':
      return msg('Saved whole. What is posted later comes by itself.');
    case 'stopped':
      return msg('Stopped. What came stays.');
    case 'unheard':
      return msg('No answer. It goes on when the network is back.');
    case 'full':
      return msg('This device has no more room. What came stays.');
    case 'refused':
      return msg('The server gave no more. What came stays.');
  }
}

/** What counts first where channels of one preset stand differently. */
const ORDER: readonly Save['state'][] = ['saving', 'full', 'refused', 'unheard', 'stopped', 'whole'];

/** Several saves as one; null where none has begun. */
function together(saves: readonly (Save | undefined)[]): Save | null {
  const begun = saves.flatMap((save) => save ?? []);
  if (begun.length === 0) return null;
  const lacks = begun.length < saves.length;
  const state = ORDER.find((each) => begun.some((save) => save.state === each)) ?? 'whole';
  return {
    state: lacks && state === 'whole' ? 'stopped' : state,
    posts: begun.reduce((sum, { posts }) => sum + posts, 0),
    bytes: begun.reduce((sum, { bytes }) => sum + bytes, 0),
    share: begun.reduce((sum, { share }) => sum + share, 0) / saves.length,
  };
}
