import { welcome } from './live-lead.ts';
import { advance, isSeen, type LiveTab } from './live-state.ts';
import type { Told, Word } from './live-tabs.ts';

/** Does what another tab's word asks of this one. */
export function hear(tab: LiveTab, word: Word): void {
  switch (word.type) {
    case 'heard':
      hearEvent(tab, word);
      break;
    case 'here':
      tab.seenAt = Date.now();
      welcome(tab, word);
      break;
    case 'anyone':
      if (isSeen()) tab.tell({ type: 'here', tab: tab.name, since: Date.now() });
      break;
    case 'useless':
      tab.works = false;
  }
}

function hearEvent(tab: LiveTab, { id, data, to = tab.name }: Told): void {
  // Who leads hears for itself; what is for one tab, the others heard before.
  if (tab.following !== null || to !== tab.name) return;
  tab.heardAt = Date.now();
  advance(tab, id);
  tab.effect(data);
}
