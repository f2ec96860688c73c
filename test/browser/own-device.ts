/** Has each of this file's tests alone on the device: files run side by side in one browser, and share its databases. */
export function ownDevice(): void {
  let release = (): void => {};
  beforeEach(
    () =>
      new Promise<void>((taken) => {
        void navigator.locks.request('test-device', () => {
          taken();
          return new Promise<void>((resolve) => {
            release = resolve;
          });
        });
      }),
  );
  afterEach(() => release());
}
