import { ErrorState } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { useFirstContentInSlices } from '../../hooks/use-first-content-in-slices.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { Dial } from './Dial.tsx';
import { DialHeader } from './DialHeader.tsx';
import { DialSkeleton } from './DialSkeleton.tsx';
import { useDeferredParts } from './use-deferred-parts.ts';

interface DialPageProps {
  /**
   * `n` is the requested channel number, `preset` a preset's id, `lineup` a shared line-up; `operator` requests the
   * operators' page.
   */
  readonly params?: Readonly<Record<string, string>>;
}

/** Dial page: switches between the channels and edits the line-up. */
export function DialPage({ params }: DialPageProps) {
  const { dataClient, environment } = useServices();
  const lineup = useFirstContentInSlices(useSignalValue(dataClient.lineup));
  const isEmpty = lineup.type === 'loaded' && lineup.value.length === 0;
  const operatorSection = environment.embedded ? undefined : params?.operator;
  const parts = useDeferredParts(isEmpty || operatorSection !== undefined);
  if (operatorSection !== undefined && parts !== null) return <parts.OperatorPage section={operatorSection} />;
  if (operatorSection !== undefined) return <DialSkeleton />;
  if (lineup.type === 'loaded' && lineup.value.length > 0)
    return (
      <div className="dial-page">
        <Dial lineup={lineup} params={params} />
      </div>
    );
  return (
    <div className="dial-page">
      <DialHeader />
      {(lineup.type === 'loading' || (isEmpty && parts === null)) && <DialSkeleton />}
      {lineup.type === 'failed' && <ErrorState failure={lineup} onRetry={() => void dataClient.refresh()} />}
      {isEmpty && parts !== null && <parts.NoChannels />}
      {isEmpty && parts !== null && !environment.embedded && <parts.FirstChannels code={params?.lineup} />}
    </div>
  );
}
