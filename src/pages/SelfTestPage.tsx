import { useMsg } from '../i18n/i18n.ts';

/** Live checks of what holds the app, with a report to copy. */
export function SelfTestPage() {
  const { msg } = useMsg();
  return (
    <header className="top">
      <div className="bar">
        <h1>{msg('Check')}</h1>
      </div>
    </header>
  );
}
