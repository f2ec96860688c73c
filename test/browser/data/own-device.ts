/**
 * Device lock: each test of a file runs alone on the device. Test files run in parallel in one browser and share its databases.
 */
export function lockDevice(): void {
  let release = (): void => {};
  beforeEach(
    () =>
      new Promise<void>((acquired) => {
        void navigator.locks.request('test-device', () => {
          acquired();
          return new Promise<void>((resolve) => {
            release = resolve;
          });
        });
      }),
  );
  afterEach(() => release());
}
