import { useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useStyle } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/lazy-messages.ts';
import { AddFeed } from './AddFeedForm.tsx';
import styles from './import-export.css';
import type { Exchanging } from './shared.ts';

const loadShared = () => import('./ReceivedLineupSheet.tsx').then((part) => part.SharedSheet);

/** First channels: the ways to add a first channel if the site has none: a feed by its URL, or a shared line-up. */
export function FirstChannels({ code }: { readonly code: string | undefined }) {
  const { msg } = useMsg();
  const { channels } = useServices();
  const worded = useWords('exchange');
  const style = useStyle(styles);
  const Shared = useLazy(loadShared, code !== undefined);
  const exchanging: Exchanging = {
    rows: [],
    change: (what, arrangement) => channels.arrange(what, arrangement),
    // No announcement is needed: the dial replaces this page as soon as a channel is added.
    say: () => {},
  };
  return (
    <div ref={style}>
      {worded && (
        <section className="elsewhere first" aria-labelledby="elsewhere">
          <div className="section-head">
            <h2 id="elsewhere">{msg('From elsewhere')}</h2>
          </div>
          <AddFeed {...exchanging} />
        </section>
      )}
      {Shared !== null && code !== undefined && <Shared key={code} {...exchanging} code={code} />}
    </div>
  );
}
