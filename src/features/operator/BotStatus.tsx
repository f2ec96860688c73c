import type { BotHealth } from '../../../contract/operator.ts';
import { useNow } from '../../hooks/use-now.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

/** Bot status: how updates arrive from Telegram, or which settings are missing. */
export function BotStatus({ bot, isOperator }: { readonly bot: BotHealth; readonly isOperator: boolean }) {
  const m = useMsg();
  const { msg } = m;
  const now = useNow();
  if (bot.type === 'absent')
    return (
      <section className="panel">
        <h2>{msg('No bot is set up')}</h2>
        {isOperator ? (
          <>
            <p>{msg('Create a bot with @BotFather, put its token into these settings, and start the server again:')}</p>
            <pre dir="ltr" className="settings">
              <code>{'BOT_TOKEN=123456:…\nPUBLIC_URL=https://…\nBOT_APP=https://t.me/…'}</code>
            </pre>
          </>
        ) : (
          <p>{msg('Ask whoever runs this site.')}</p>
        )}
      </section>
    );
  return (
    <section className="panel line">
      <span className={bot.type === 'failed' ? 'tone bad' : 'tone good'} aria-hidden="true" />
      <div>
        <h2>
          {bot.type === 'failed' ? msg('Telegram cannot be reached') : msg('Connected to Telegram')}
          {bot.username !== undefined && (
            <>
              {' '}
              <bdi className="aside">@{bot.username}</bdi>
            </>
          )}
        </h2>
        <p>
          {bot.lastUpdate === undefined
            ? msg('No update received yet.')
            : msg(str`Last update: ${m.relativeDate(bot.lastUpdate, now)}`)}
          {bot.type !== 'failed' && ` · ${bot.type === 'webhook' ? msg('by webhook') : msg('by long polling')}`}
        </p>
        {bot.detail !== undefined && (
          <p lang="en" dir="auto" className="server-words">
            {bot.detail}
          </p>
        )}
      </div>
    </section>
  );
}
