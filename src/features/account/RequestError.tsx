import { requestIdOf } from '../../api/account-api.ts';
import { failureText } from '../../components/error-text.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';

/**
 * Request error: shows why an action failed, and a reference by which the operators can find it. The alert region is mounted
 * from the start, so that screen readers announce it.
 */
export function RequestError({ thrown }: { readonly thrown: unknown }) {
  const messages = useMsg();
  const reference = thrown === null ? null : requestIdOf(thrown);
  return (
    <div className="account-trouble" role="alert">
      {thrown !== null && <p>{requestErrorText(messages, thrown)}</p>}
      {reference !== null && (
        <small>
          {messages.msg('Reference:')} <bdi dir="ltr">{reference}</bdi>
        </small>
      )}
    </div>
  );
}

function requestErrorText(messages: Messages, thrown: unknown): string {
  const { message, status, unreachable } = toRequestFailure(thrown);
  if (unreachable) return messages.msg('No answer came. Check your connection and try again.');
  if (status === 401) return messages.msg('You are no longer signed in here.');
  return status === null ? message : failureText(messages, status);
}
