import { useMsg } from '../i18n/i18n.ts';
import { Failure } from '../ui/States.tsx';
import { DialEmpty, DialSkeleton } from './dial/DialStates.tsx';
import { LoadedDial } from './dial/LoadedDial.tsx';
import { OperatorDoor } from './dial/OperatorDoor.tsx';
import { OperatorLink } from './dial/OperatorLink.tsx';
import { useServices } from './services.ts';
import { useReadable } from './use-readable.ts';

interface DialPageProps {
  /** `n` is the number that the address asks for; `operator` asks for the operators' page. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Flips through the channels and sets the line-up. */
export function DialPage({ params }: DialPageProps) {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const lineup = useReadable(channels.lineup);
  if (params?.operator !== undefined && !site.embedded) return <OperatorDoor section={params.operator} />;
  return (
    <div className="dial-page">
      <header className="top">
        <div className="bar">
          <h1>{msg('Dial')}</h1>
          <OperatorLink />
        </div>
      </header>
      {lineup.type === 'loading' && <DialSkeleton />}
      {lineup.type === 'failed' && <Failure failed={lineup} onRetry={() => void channels.refresh()} />}
      {lineup.type === 'loaded' && (lineup.value.length === 0 ? <DialEmpty /> : <LoadedDial lineup={lineup} asked={params?.n} />)}
    </div>
  );
}
