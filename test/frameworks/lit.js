import { html, nothing, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

export function start(place, shown, hear) {
  const channel =
    ({ limit, theme, rich, said }) =>
    (id) =>
      html`<changer-channel
      channel-id=${id}
      limit=${limit ?? nothing}
      theme=${theme ?? nothing}
      .params=${rich}
      @changer-loaded=${hear}
      @changer-post-opened=${hear}
      ><p>${said} ${id}</p></changer-channel
    >`;
  const post = ({ channelId, postId }) =>
    html`<changer-post .channelId=${channelId} .postId=${postId} @changer-loaded=${hear}></changer-post>`;
  const feed = (channels) => html`<changer-feed .channels=${channels}></changer-feed>`;
  const show = async (next) =>
    render(
      html`${repeat(next.channels, (id) => id, channel(next))}${next.feed === null ? nothing : feed(next.feed)}${next.post === null ? nothing : post(next.post)}`,
      place,
    );
  show(shown);
  return show;
}
