import { Failure } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { OperatorDoor } from '../operator/OperatorPage.tsx';
import { LoadedDial } from './Dial.tsx';
import { DialHeader } from './DialHeader.tsx';
import { DialSkeleton } from './DialSkeleton.tsx';
import { useParts } from './use-deferred-parts.ts';

interface DialPageProps {
  /**
   * `n` is the requested channel number, `preset` a preset's id, `lineup` a shared line-up; `operator` requests the operators'
   * page.
   */
  readonly params?: Readonly<Record<string, string>>;
}

/** Dial page: switches between the channels and edits the line-up. */
export function DialPage({ params }: DialPageProps) {
  const { channels, site } = useServices();
  const lineup = useReadable(channels.lineup);
  const isEmpty = lineup.type === 'loaded' && lineup.value.length === 0;
  const parts = useParts(isEmpty);
  if (params?.operator !== undefined && !site.embedded) return <OperatorDoor section={params.operator} />;
  if (lineup.type === 'loaded' && lineup.value.length > 0)
    return (
      <div className="dial-page">
        <LoadedDial lineup={lineup} params={params} />
      </div>
    );
  return (
    <div className="dial-page">
      <DialHeader />
      {(lineup.type === 'loading' || (isEmpty && parts === null)) && <DialSkeleton />}
      {lineup.type === 'failed' && <Failure failed={lineup} onRetry={() => void channels.refresh()} />}
      {isEmpty && parts !== null && <parts.DialEmpty />}
      {isEmpty && parts !== null && !site.embedded && <parts.FirstChannels code={params?.lineup} />}
    </div>
  );
}
