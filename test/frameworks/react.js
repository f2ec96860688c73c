import { createElement as h } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

const App = ({ channels, limit, theme, rich, said, feed, post, hear }) => [
  ...channels.map((id) =>
    h(
      'changer-channel',
      {
        key: id,
        'channel-id': id,
        limit,
        theme,
        params: rich,
        'onchanger-loaded': hear,
        'onchanger-post-opened': hear,
      },
      h('p', null, `${said} ${id}`),
    ),
  ),
  feed && h('changer-feed', { key: 'feed', channels: feed }),
  post && h('changer-post', { key: 'post', ...post, 'onchanger-loaded': hear }),
];

export function start(place, shown, hear) {
  const root = createRoot(place);
  const show = async (next) => flushSync(() => root.render(h(App, { ...next, hear })));
  show(shown);
  return show;
}
