import '@angular/compiler';
import { ApplicationRef, Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

export async function start(place, shown, hear) {
  const state = signal(shown);
  class App {
    state = state;
    hear = hear;
  }
  const AppComponent = Component({
    selector: 'app-root',
    schemas: [CUSTOM_ELEMENTS_SCHEMA],
    template: `
      @for (id of state().channels; track id) {
        <changer-channel
          [attr.channel-id]="id"
          [limit]="state().limit"
          [attr.theme]="state().theme"
          [params]="state().rich"
          (changer-loaded)="hear($event)"
          (changer-post-opened)="hear($event)"
        ><p>{{ state().said }} {{ id }}</p></changer-channel>
      }
      @if (state().feed; as feed) {
        <changer-feed [channels]="feed"></changer-feed>
      }
      @if (state().post; as post) {
        <changer-post [channelId]="post.channelId" [postId]="post.postId" (changer-loaded)="hear($event)"></changer-post>
      }`,
  })(App);
  place.append(document.createElement('app-root'));
  const app = await bootstrapApplication(AppComponent, { providers: [provideZonelessChangeDetection()] });
  return async (next) => {
    state.set(next);
    app.injector.get(ApplicationRef).tick();
  };
}
