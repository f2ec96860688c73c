import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Close page: shown if the container did not close the app. */
export function CloseWebappPage() {
  const { msg } = useMsg();
  const { environment } = useServices();
  const Box = environment.embedded ? 'div' : 'main';
  return (
    <Box className="lone">
      <span className="lone-done">
        <Icon name="done" />
      </span>
      <h1>{msg('You can close this window')}</h1>
      <p>{msg('Your changes are saved.')}</p>
      <p className="lone-ways">
        <a className="button quiet" href={`${environment.baseUrl}/main`}>
          {msg('Back to the feed')}
        </a>
      </p>
    </Box>
  );
}
