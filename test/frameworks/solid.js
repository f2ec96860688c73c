import { createSignal, For, Show } from 'solid-js';
import html from 'solid-js/html';
import { render } from 'solid-js/web';

export function start(place, shown, hear) {
  const [state, show] = createSignal(shown);
  const channel = (id) =>
    html`<changer-channel
      channel-id=${id}
      limit=${() => state().limit}
      theme=${() => state().theme}
      prop:params=${() => state().rich}
      on:changer-loaded=${hear}
      on:changer-post-opened=${hear}
      ><p>${() => `${state().said} ${id}`}</p></changer-channel
    >`;
  const post = ({ channelId, postId }) =>
    html`<changer-post channel-id=${channelId} post-id=${postId} on:changer-loaded=${hear}></changer-post>`;
  render(
    () => [
      html`<${For} each=${() => state().channels}>${channel}<//>`,
      html`<${Show} when=${() => state().feed} keyed=${true}>${(channels) => html`<changer-feed prop:channels=${channels}></changer-feed>`}<//>`,
      html`<${Show} when=${() => state().post} keyed=${true}>${(found) => post(found)}<//>`,
    ],
    place,
  );
  return async (next) => {
    show(next);
  };
}
