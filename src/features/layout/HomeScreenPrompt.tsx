import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { declineHomeScreen, mayOfferHomeScreen, useHomeScreen } from './use-home-screen.ts';

/** Reading time of a returning reader before the prompt shows, ms. */
const PROMPT_DELAY_MS = 15_000;

/**
 * Home screen prompt: offers to add the app, at the second visit at the earliest, after some reading time, and only
 * once.
 */
export function HomeScreenPrompt({ after: delayMs = PROMPT_DELAY_MS }: { readonly after?: number }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const offer = useHomeScreen();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(mayOfferHomeScreen()), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  if (!isDue || offer === null) return null;
  const dismiss = () => {
    declineHomeScreen();
    setDue(false);
  };
  return (
    <section className="home-screen" aria-label={msg('Add to the home screen')}>
      <p>
        <b>{msg(str`${environment.brandName} on your home screen`)}</b>{' '}
        {offer.way === 'asked'
          ? msg('One tap away, and readable offline.')
          : msg('One tap away, and readable offline: tap Share, then “Add to Home Screen”.')}
      </p>
      <div>
        <button type="button" className="button plain" onClick={dismiss}>
          {offer.way === 'asked' ? msg('Not now') : msg('Close')}
        </button>
        {offer.way === 'asked' && (
          <button
            type="button"
            className="button"
            onClick={() => {
              dismiss();
              offer.add();
            }}
          >
            {msg('Add')}
          </button>
        )}
      </div>
    </section>
  );
}
