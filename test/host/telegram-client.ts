import {
  DARK,
  type EmbeddedApp,
  embedApp,
  launchHash,
  OLD,
  SILENT,
  SILENT_OLD,
  STRICT,
  type TelegramDouble,
  WEB_A,
  WEB_K,
} from './host-doubles.ts';

declare global {
  interface Window {
    holder: EmbeddedApp;
    hold(name: string, appUrl: string, launchData: string): Promise<void>;
  }
}

const DOUBLES: readonly TelegramDouble[] = [WEB_A, WEB_K, OLD, STRICT, SILENT, SILENT_OLD];

window.hold = async (name, appUrl, launchData) => {
  const double = DOUBLES.find((one) => one.name === name);
  if (double === undefined) throw new Error(`no double is called ${name}`);
  const frame = document.createElement('iframe');
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-popups allow-forms allow-modals allow-storage-access-by-user-activation',
  );
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }));
  frame.src = appUrl + launchHash(double, DARK, launchData);
  window.holder = embedApp(frame, double, {
    theme: () => DARK,
    sizes: () => ({
      height: 600,
      safeArea: { top: 20, right: 0, bottom: 34, left: 0 },
      contentSafeArea: { top: 46, right: 0, bottom: 0, left: 0 },
    }),
  });
  document.body.append(frame);
  await loaded;
};
