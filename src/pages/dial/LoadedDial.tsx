import { useRef, useState } from 'react';
import { mute } from '../../channels/arrange.ts';
import type { LineupRow, Loadable } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../../ui/AnyIcon.tsx';
import type { Anchor } from '../../ui/Sheet.tsx';
import { useServices } from '../services.ts';
import { useSingleKeys } from '../use-single-keys.ts';
import { Available } from './Available.tsx';
import { DialCard } from './DialCard.tsx';
import { AllOff } from './DialStates.tsx';
import { HelpSheet } from './HelpSheet.tsx';
import { LineupList } from './LineupList.tsx';
import { LineupNotes } from './LineupNotes.tsx';
import { ConnectOwn } from './OperatorLink.tsx';
import { onNow } from './on-now.ts';
import { Remote } from './Remote.tsx';
import { RowMenu } from './RowMenu.tsx';
import { UndoToast } from './UndoToast.tsx';
import { useDial } from './use-dial.ts';
import { useDialKeys } from './use-dial-keys.ts';
import { useNotice } from './use-notice.ts';
import { useRowActs } from './use-row-acts.ts';

interface LoadedDialProps {
  readonly lineup: Extract<Loadable<readonly LineupRow[]>, { type: 'loaded' }>;
  readonly asked: string | undefined;
}

type Open = { readonly type: 'menu'; readonly id: string; readonly anchor: Anchor } | { readonly type: 'help' } | null;

/** The dial over a line-up that is there: the card and the remote, beside or above the list. */
export function LoadedDial({ lineup, asked }: LoadedDialProps) {
  const m = useMsg();
  const { channels, site } = useServices();
  const root = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const notice = useNotice();
  const single = useSingleKeys();

  const followed = lineup.value.filter((row) => row.followed);
  const dial = useDial(followed, asked);
  const tuned = (row: LineupRow | null) => {
    if (row === null) return;
    notice.say(onNow(m, row));
    card.current?.scrollIntoView({ block: 'nearest' });
  };
  const acts = useRowActs({
    root,
    dial,
    followed,
    say: notice.say,
    openMenu: (row, anchor) => setOpen({ type: 'menu', id: row.channel.id, anchor }),
    tuned,
  });
  const unmuteAll = () => {
    channels.arrange(
      { act: 'unmute', channelId: null },
      mute(
        followed.map((row) => row.channel.id),
        null,
      ),
    );
  };
  const typed = useDialKeys({
    root,
    dial,
    acts,
    followed,
    tuned,
    say: notice.say,
    help: () => setOpen({ type: 'help' }),
    on: single[0],
  });

  const close = () => setOpen(null);
  const menuRow = open?.type === 'menu' ? followed.find((row) => row.channel.id === open.id) : undefined;
  return (
    <div className="dial" ref={root}>
      <div className="dial-now">
        {dial.current === null ? (
          <AllOff />
        ) : (
          <>
            <DialCard
              row={dial.current}
              total={followed.length}
              way={dial.way}
              typed={typed}
              flip={(by) => tuned(dial.flip(by))}
              card={card}
            />
            <Remote
              current={dial.current}
              last={dial.last}
              flip={(by) => tuned(dial.flip(by))}
              back={() => tuned(dial.tuneBack())}
            />
          </>
        )}
      </div>
      <div className="dial-lineup">
        <section aria-labelledby="my-line-up">
          <div className="section-head">
            <h2 id="my-line-up">{m.msg('My line-up')}</h2>
            {!site.embedded && (
              <>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={m.msg('Keys of the dial')}
                  onClick={() => setOpen({ type: 'help' })}
                >
                  <AnyIcon name="keys" />
                </button>
                {followed.length > 0 && (
                  <button type="button" className="link section-edit" aria-pressed={editing} onClick={() => setEditing(!editing)}>
                    {editing ? m.msg('Done') : m.msg('Edit')}
                  </button>
                )}
              </>
            )}
          </div>
          <LineupNotes lineup={lineup} followed={followed} unmuteAll={unmuteAll} />
          <LineupList rows={followed} current={dial.current} editing={editing} acts={acts} />
        </section>
        {!site.embedded && <Available rows={lineup.value.filter((row) => !row.followed)} acts={acts} />}
        <ConnectOwn />
      </div>
      {menuRow !== undefined && open?.type === 'menu' && (
        <RowMenu row={menuRow} total={followed.length} anchor={open.anchor} acts={acts} onClose={close} />
      )}
      {open?.type === 'help' && <HelpSheet singleKeys={single[0]} setSingleKeys={single[1]} onClose={close} />}
      <UndoToast {...notice} undo={acts.undo} />
    </div>
  );
}
