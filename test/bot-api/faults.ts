import { setTimeout as wait } from 'node:timers/promises';
import { Refusal, tooMany } from './answer.ts';

/** A way to fail. `reset` cuts the connection, `garbage` answers what no proxy should, `slow` answers late, and rightly. */
export type Fault =
  | 'reset'
  | 'garbage'
  | { readonly slow: number }
  | { readonly retryAfter: number }
  | { readonly code: number; readonly description: string };

interface Armed {
  readonly method: string;
  readonly fault: Fault;
  left: number;
}

/** What the answer must be instead: the connection cut, or these bytes. */
export type Spoilt = 'reset' | { readonly status: number; readonly html: string };

/** Failures waiting for calls. Methods are as Telegram spells them; `file` is a download, `*` is every call. */
export class Faults {
  readonly #armed: Armed[] = [];

  /** Makes the next `times` calls of a method fail; gives a way to end it sooner. */
  arm(method: string, fault: Fault, times = 1): () => void {
    const armed = { method: method.toLowerCase(), fault, left: times };
    this.#armed.push(armed);
    return () => {
      armed.left = 0;
    };
  }

  /** Fails a call as armed, or lets it through. Throws a Refusal for what Telegram itself would say. */
  async meet(method: string): Promise<Spoilt | undefined> {
    const armed = this.#armed.find((one) => one.left > 0 && (one.method === '*' || one.method === method.toLowerCase()));
    if (!armed) return undefined;
    armed.left--;
    const { fault } = armed;
    if (fault === 'reset') return 'reset';
    if (fault === 'garbage') return { status: 502, html: '<html><head><title>502 Bad Gateway</title></head></html>' };
    if ('slow' in fault) return void (await wait(fault.slow));
    throw 'retryAfter' in fault ? tooMany(fault.retryAfter) : new Refusal(fault.code, fault.description);
  }
}
