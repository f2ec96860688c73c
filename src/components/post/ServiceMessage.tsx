import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { LinkContext } from '../../lib/links.ts';
import { JumpLink } from './JumpLink.tsx';
import type { PostActionHandlers } from './types.ts';

interface ServiceMessageProps {
  readonly service: NonNullable<Post['service']>;
  readonly channel: Channel;
  readonly linkContext: LinkContext;
  readonly actions: PostActionHandlers;
}

/**
 * Service message: renders an event of the channel: it was created or renamed, a post was pinned, or the picture was
 * changed.
 */
export function ServiceMessage({ service, channel, linkContext, actions }: ServiceMessageProps) {
  const { msg } = useMsg();
  switch (service.action) {
    case 'created':
      return msg('The channel was created');
    case 'renamed':
      return service.title === undefined ? msg('The channel was renamed') : msg(str`The channel is now called ${service.title}`);
    case 'picture':
      return msg('The channel has a new picture');
    case 'pinned':
      if (service.messageId === undefined) return msg('A post was pinned');
      return (
        <JumpLink jump={actions.jump} linkContext={linkContext} channel={channel} id={service.messageId}>
          {msg('A post was pinned')}
        </JumpLink>
      );
  }
}
