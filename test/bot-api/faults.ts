import { setTimeout as wait } from 'node:timers/promises';
import { BotApiError, tooMany } from './answer.ts';

/**
 * Ways to fail. `reset` cuts the connection. `garbage` sends an HTML error page of a proxy. `slow` sends a late but correct
 * response.
 */
export type Fault =
  | 'reset'
  | 'garbage'
  | { readonly slow: number }
  | { readonly retryAfter: number }
  | { readonly code: number; readonly description: string };

interface ArmedFault {
  readonly method: string;
  readonly fault: Fault;
  left: number;
}

/** The replacement of the response: the connection is cut, or these bytes are sent. */
export type FaultResponse = 'reset' | { readonly status: number; readonly html: string };

/** Failures that wait for calls. Methods have the names that Telegram uses; `file` is a download, `*` is every call. */
export class Faults {
  readonly #armed: ArmedFault[] = [];

  /** Arms a fault for the next `times` calls of a method. Returns a function that ends this earlier. */
  arm(method: string, fault: Fault, times = 1): () => void {
    const armed = { method: method.toLowerCase(), fault, left: times };
    this.#armed.push(armed);
    return () => {
      armed.left = 0;
    };
  }

  /** Fails a call as armed, or lets it through. Throws a Refusal for an error that Telegram itself would send. */
  async meet(method: string): Promise<FaultResponse | undefined> {
    const armed = this.#armed.find((one) => one.left > 0 && (one.method === '*' || one.method === method.toLowerCase()));
    if (!armed) return undefined;
    armed.left--;
    const { fault } = armed;
    if (fault === 'reset') return 'reset';
    if (fault === 'garbage') return { status: 502, html: '<html><head><title>502 Bad Gateway</title></head></html>' };
    if ('slow' in fault) return void (await wait(fault.slow));
    throw 'retryAfter' in fault ? tooMany(fault.retryAfter) : new BotApiError(fault.code, fault.description);
  }
}
