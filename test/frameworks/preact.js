import { h, render } from 'preact';

export function start(place, shown, hear) {
  const show = async ({ channels, limit, theme, rich, said, feed, post }) =>
    render(
      [
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
      ],
      place,
    );
  show(shown);
  return show;
}
