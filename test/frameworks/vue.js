import { createApp, h, nextTick, shallowRef } from 'vue';

export function start(place, shown, hear) {
  const state = shallowRef(shown);
  const on = { 'onChanger-loaded': hear, 'onChanger-post-opened': hear };
  createApp({
    render() {
      const { channels, limit, theme, rich, said, feed, post } = state.value;
      return [
        ...channels.map((id) =>
          h('changer-channel', { key: id, 'channel-id': id, limit, theme, params: rich, ...on }, [h('p', `${said} ${id}`)]),
        ),
        feed && h('changer-feed', { key: 'feed', channels: feed }),
        post && h('changer-post', { key: 'post', ...post, ...on }),
      ];
    },
  }).mount(place);
  return async (next) => {
    state.value = next;
    await nextTick();
  };
}
