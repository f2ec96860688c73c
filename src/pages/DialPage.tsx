import { Failure } from '../ui/States.tsx';
import { DialHeader } from './dial/DialHeader.tsx';
import { DialSkeleton } from './dial/DialStates.tsx';
import { LoadedDial } from './dial/LoadedDial.tsx';
import { OperatorDoor } from './dial/OperatorDoor.tsx';
import { useParts } from './dial/use-parts.ts';
import { useServices } from './services.ts';
import { useReadable } from './use-readable.ts';

interface DialPageProps {
  /** `n` is the number that the address asks for, `preset` a preset's id, `lineup` a shared line-up; `operator` asks for the operators' page. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Flips through the channels and sets the line-up. */
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
