import { Failure } from '../ui/States.tsx';
import { DialHeader } from './dial/DialHeader.tsx';
import { DialEmpty, DialSkeleton } from './dial/DialStates.tsx';
import { LoadedDial } from './dial/LoadedDial.tsx';
import { OperatorDoor } from './dial/OperatorDoor.tsx';
import { useServices } from './services.ts';
import { useReadable } from './use-readable.ts';

interface DialPageProps {
  /** `n` is the number that the address asks for, `preset` a preset's id; `operator` asks for the operators' page. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Flips through the channels and sets the line-up. */
export function DialPage({ params }: DialPageProps) {
  const { channels, site } = useServices();
  const lineup = useReadable(channels.lineup);
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
      {lineup.type === 'loading' && <DialSkeleton />}
      {lineup.type === 'failed' && <Failure failed={lineup} onRetry={() => void channels.refresh()} />}
      {lineup.type === 'loaded' && <DialEmpty />}
    </div>
  );
}
