import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../lib/links.ts';

interface DialControlsProps {
  readonly current: LineupRow;
  readonly last: LineupRow | null;
  readonly flip: (by: 1 | -1) => void;
  readonly back: () => void;
}

/** Remote control: buttons for the previous channel, open and next, and a button back to the last channel. */
export function DialControls({ current, last, flip, back }: DialControlsProps) {
  const m = useMsg();
  const { environment } = useServices();
  return (
    <div className="remote">
      <button type="button" className="round" aria-label={m.msg('Previous channel')} onClick={() => flip(-1)}>
        <AnyIcon name="previous" />
      </button>
      <a className="button remote-open" {...internalLink(environment, channelPath(current.channel))}>
        {m.msg('Open channel')}
      </a>
      <button type="button" className="round" aria-label={m.msg('Next channel')} onClick={() => flip(1)}>
        <AnyIcon name="next" />
      </button>
      <p className="remote-last">
        {last === null || last.number === null || last === current ? (
          <>
            <span className="hint-touch">{m.msg('Swipe the card to flip.')}</span>
            <span className="hint-keys">{m.msg('Type a number, or flip with the arrow keys.')}</span>
          </>
        ) : (
          <button type="button" className="button plain" onClick={back}>
            <AnyIcon name="undo" small />
            <span>{m.msg(str`Back to ${m.number(last.number)}`)}</span>
            <bdi>{last.channel.title}</bdi>
          </button>
        )}
      </p>
    </div>
  );
}
