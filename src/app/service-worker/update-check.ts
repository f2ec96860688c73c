import { isGone } from '../shell/load-error.ts';
import { askWorker, installed } from './messages.ts';

/** A page that stays open asks for a new version when it is looked at again, at most this often, ms. */
const ASKED_ANEW = 3_600_000;

/** Returns whether a worker is of this page's build, which is when it knows the page's script; null if it does not answer. */
export const isOfThisBuild = (worker: ServiceWorker): Promise<unknown> =>
  askWorker(worker, { type: 'has', path: document.querySelector('script[type=module]')?.getAttribute('src') ?? '' });

/**
 * Calls `tell` whenever a worker comes here that does not know this page's script: then it is of another build, which a reload
 * has. It may have come with another tab, and then waits no more.
 */
export function followBuilds(registration: ServiceWorkerRegistration, tell: () => void): void {
  const look = async (worker: ServiceWorker | null): Promise<void> => {
    await installed(worker);
    if (worker === null || worker.state === 'redundant') return;
    if ((await isOfThisBuild(worker)) === false) tell();
  };
  void look(registration.waiting);
  void look(registration.installing);
  registration.addEventListener('updatefound', () => void look(registration.installing));
  navigator.serviceWorker.addEventListener('controllerchange', () => void look(navigator.serviceWorker.controller));
  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < ASKED_ANEW) return;
    asked = Date.now();
    registration.update().catch(() => {});
  });
}

/** Calls `tell` when the server no longer has a part of the app that this page asked for: it is of a build that has gone. */
export function followParts(tell: () => void): void {
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isGone)) tell();
  }).observe({ type: 'resource', buffered: true });
}
