import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Not-found page (404), the only error page: there is no page at this address. */
export function NotFoundPage() {
  const { msg, number } = useMsg();
  const { environment } = useServices();
  const Box = environment.embedded ? 'div' : 'main';
  return (
    <Box className="lone">
      <p className="lone-number" aria-hidden="true">
        {number(404)}
      </p>
      <h1>{msg('Page not found')}</h1>
      <p>{msg('There is no page at this address. It may have moved, or the link may be broken.')}</p>
      <p className="lone-ways">
        <a className="button" href={`${environment.baseUrl}/main`}>
          {msg('Go to the feed')}
        </a>
        <a className="button quiet" href={`${environment.baseUrl}/changer`}>
          {msg('Go to the dial')}
        </a>
      </p>
    </Box>
  );
}
