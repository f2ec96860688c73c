import { useEffect, useState } from 'react';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { EmptyState } from '../../../components/States.tsx';
import { useServices } from '../../../context/services.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { BadUpdatesLine } from '../BadUpdatesLine.tsx';
import { BotStatus } from '../BotStatus.tsx';
import { DemoLine } from '../DemoLine.tsx';
import { FileStorage } from '../FileStorage.tsx';
import { LoadableContent } from '../ListStates.tsx';
import { type OperatorSectionProps, useOperatorQuery } from '../use-operator-api.ts';
import { AddFeedSheet } from './AddFeedSheet.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import { ChannelSheet } from './ChannelSheet.tsx';
import { ConnectSheet } from './ConnectSheet.tsx';
import { byUrgency } from './channel-status.ts';

type OpenSheet =
  | { readonly type: 'connect' }
  | { readonly type: 'feed' }
  | { readonly type: 'channel'; readonly id: string }
  | null;

const loadOverview = (api: OperatorApi) => api.overview();
/** Interval at which the overview is requested while the page is visible, ms. */
const POLL_INTERVAL_MS = 30_000;

/** Channels section: the channels with their health, and the buttons that add one. */
export function ChannelsSection({ show, isOperator }: OperatorSectionProps) {
  const m = useMsg();
  const { msg } = m;
  const now = useNow();
  const { state, reload } = useOperatorQuery(loadOverview);
  const [openSheet, setOpenSheet] = useState<OpenSheet>(null);
  useHealthPolling(reload);
  const close = () => setOpenSheet(null);
  return (
    <LoadableContent state={state} reload={reload}>
      {(overview) => {
        const demoCount = overview.channels.filter(({ channel }) => channel.demo).length;
        const openChannel = openSheet?.type === 'channel' && overview.channels.find(({ channel }) => channel.id === openSheet.id);
        return (
          <>
            <BotStatus bot={overview.bot} isOperator={isOperator} />
            <div className="operator-ways">
              {overview.bot.type !== 'absent' && overview.mayConnect && (
                <button type="button" className="button" onClick={() => setOpenSheet({ type: 'connect' })}>
                  <AnyIcon name="plus" small />
                  {msg('Connect a channel')}
                </button>
              )}
              {isOperator && (
                <button type="button" className="button outline" onClick={() => setOpenSheet({ type: 'feed' })}>
                  {msg('Add a feed')}
                </button>
              )}
            </div>
            {overview.channels.length === 0 ? (
              <EmptyState
                icon={<AnyIcon name="dial" />}
                title={msg('No channels yet')}
                text={
                  overview.mayConnect
                    ? msg('Connect the first one, or add a feed.')
                    : msg('The operators of this site connect channels.')
                }
              />
            ) : (
              <ul className="rows operator-rows" aria-label={msg('Channels')}>
                {overview.channels.toSorted(byUrgency(m, now)).map((item) => (
                  <ChannelRow
                    key={item.channel.id}
                    item={item}
                    now={now}
                    onOpen={() => setOpenSheet({ type: 'channel', id: item.channel.id })}
                  />
                ))}
              </ul>
            )}
            {overview.badUpdates && <BadUpdatesLine updates={overview.badUpdates} />}
            {isOperator && <FileStorage overview={overview} />}
            {isOperator && demoCount > 0 && <DemoLine count={demoCount} show={show} reload={reload} />}
            {openChannel && <ChannelSheet item={openChannel} now={now} show={show} reload={reload} onClose={close} />}
            {openSheet?.type === 'connect' && <ConnectSheet overview={overview} reload={reload} show={show} onClose={close} />}
            {openSheet?.type === 'feed' && <AddFeedSheet show={show} reload={reload} onClose={close} />}
          </>
        );
      }}
    </LoadableContent>
  );
}

/** Loads the overview again every half minute while the page is visible, and when channels change. */
function useHealthPolling(reload: () => void): void {
  const { dataClient } = useServices();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setInterval(refresh, POLL_INTERVAL_MS);
    const unsubscribe = dataClient.directory.subscribe(refresh);
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [dataClient, reload]);
}
