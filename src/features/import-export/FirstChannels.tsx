import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { AddFeedForm } from './AddFeedForm.tsx';
import styles from './import-export.css';
import type { ImportExportProps } from './shared.ts';

const loadReceivedLineupSheet = () => import('./ReceivedLineupSheet.tsx').then((module) => module.ReceivedLineupSheet);

/** First channels: adds the first channels to a site that has none, by the URL of a feed or by a shared line-up. */
export function FirstChannels({ code }: { readonly code: string | undefined }) {
  const { msg } = useMsg();
  const { dataClient } = useServices();
  const hasMessages = useAreaMessages('exchange');
  const style = useStylesheet(styles);
  const ReceivedLineup = useLazyComponent(loadReceivedLineupSheet, code !== undefined);
  const props: ImportExportProps = {
    rows: [],
    change: (undoable, operation) => dataClient.applyLineupOperation(undoable, operation),
    // No announcement is needed: the dial replaces this page as soon as a channel is added.
    announce: () => {},
  };
  return (
    <div ref={style}>
      {hasMessages && (
        <section className="elsewhere first" aria-labelledby="elsewhere">
          <div className="section-head">
            <h2 id="elsewhere">{msg('From elsewhere')}</h2>
          </div>
          <AddFeedForm {...props} />
        </section>
      )}
      {ReceivedLineup !== null && code !== undefined && <ReceivedLineup key={code} {...props} code={code} />}
    </div>
  );
}
