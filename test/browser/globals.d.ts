/** Globals that mocha in the web test runner defines in a page. The other tests import the same names from node:test. */
type Act = (this: void) => void | Promise<void>;
interface Describe {
  (name: string, act: () => void): void;
  skip(name: string, act: () => void): void;
}
interface It {
  (name: string, act: Act): void;
  skip(name: string, act?: Act): void;
}
declare const describe: Describe;
declare const it: It;
declare const before: (act: Act) => void;
declare const after: (act: Act) => void;
declare const beforeEach: (act: Act) => void;
declare const afterEach: (act: Act) => void;
