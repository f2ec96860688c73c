import { useMsg } from '../../../i18n/i18n.ts';
import { safeHref } from '../../../lib/links.ts';
import { ExternalLink } from '../../Link.tsx';

interface LinkButtonsProps {
  readonly buttons: readonly { readonly text: string; readonly url?: string }[];
  /** URL of the post at its source. */
  readonly link: string | undefined;
}

/** Link buttons under a message. A button without a URL works only in Telegram, so it links to the post there. */
export function LinkButtons({ buttons, link }: LinkButtonsProps) {
  return (
    <div className="buttons">
      {buttons.map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may be the same
        <LinkButton key={index} text={button.text} url={button.url} link={link} />
      ))}
    </div>
  );
}

function LinkButton({
  text,
  url,
  link,
}: {
  readonly text: string;
  readonly url: string | undefined;
  readonly link: string | undefined;
}) {
  const { msg } = useMsg();
  const href = url === undefined ? null : safeHref(url);
  const label = <bdi>{text}</bdi>;
  if (href !== null) {
    return (
      <ExternalLink className="button quiet" href={href}>
        {label}
      </ExternalLink>
    );
  }
  if (link === undefined) return <span className="button quiet off">{label}</span>;
  return (
    <ExternalLink className="button quiet" href={link} title={msg('Works only in Telegram')}>
      {label}
      <span className="hidden"> ({msg('Works only in Telegram')})</span>
    </ExternalLink>
  );
}
