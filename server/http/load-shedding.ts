/**
 * Says no politely where more is asked than can be answered: what strangers read goes first, what readers read after it, and
 * signing in and every write last, since nobody can ask for those again without knowing what became of them. Whether the server
 * lives is always said. Pages are answered too: the bare shell costs nothing, and shows what the device keeps. A client that
 * causes most of the work is refused before all others, whatever it asks.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './errors.ts';
import { type App, isForPrograms, pathOf } from './request.ts';
import { createWorkByClient } from './work-by-client.ts';

/** How much is asked of the server: 1 is as much as it can answer well. */
export interface Pressure {
  level(): number;
  /** Notes that a request is under way; the answer notes its end, once. */
  enter(): () => void;
  stop(): void;
}

/** How late this process may be with what is due, ms, and how many requests it may have under way. */
const LATE = 500;
const UNDER_WAY = 500;
/** How often it is measured, ms. */
const LOOK = 50;

/** From which level on each is refused. */
const REFUSED = { cause: 1, stranger: 1, reader: 2, change: 4 };
/** So much more the others may ask while one client causes most of the work: refusing that client is what helps. */
const RELIEF = 2;

export function measurePressure(): Pressure {
  let late = 0;
  let underWay = 0;
  let due = performance.now() + LOOK;
  const timer = setInterval(() => {
    const now = performance.now();
    // Smoothed: one long answer among many short ones is no overload.
    late += (Math.max(0, now - due) - late) / 4;
    due = now + LOOK;
  }, LOOK).unref();
  return {
    level: () => Math.max(late / LATE, underWay / UNDER_WAY),
    enter() {
      underWay += 1;
      let isUnderWay = true;
      return () => {
        if (isUnderWay) underWay -= 1;
        isUnderWay = false;
      };
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Refuses requests while there are too many, with a time to come again that is not the same for all. `clientOf` names the client
 * of a request, as the rate limits do.
 */
export function shedOverload(app: App, pressure: Pressure, clientOf: (request: FastifyRequest) => string): void {
  const refused = countRefused(app);
  const work = createWorkByClient();
  app.addHook('onClose', async () => {
    pressure.stop();
    refused.tell();
  });
  // Who sends or takes slowly gives the server nothing to do meanwhile: else some hundred who never end would shut out everybody.
  const leaving = new WeakMap<FastifyRequest, () => void>();
  const enter = (request: FastifyRequest, reply: FastifyReply) => {
    // A stream is under way for hours, and has a bound of its own (lib/concurrency.ts).
    if (pathOf(request.url) === '/api/events') return;
    const leavePressure = pressure.enter();
    const [client, began] = [clientOf(request), performance.now()];
    const leave = () => {
      leavePressure();
      if (leaving.delete(request)) work.add(client, performance.now() - began);
    };
    leaving.set(request, leave);
    reply.raw.once('close', leave);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) enter(request, reply);
    const level = pressure.level();
    if (level < REFUSED.cause || !isForPrograms(request.url)) return;
    const cause = work.cause();
    if (cause !== clientOf(request) && level < REFUSED[kindOf(request)] * (cause === null ? 1 : RELIEF)) return;
    refused.count();
    request.refused = 'overload';
    reply.header('retry-after', 2 + Math.floor(Math.random() * 4));
    return sendProblem(reply, 503, 'The server has more to do than it can just now. Try again in some seconds.');
  });
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request)) enter(request, reply);
  });
  app.addHook('onSend', async (request) => leaving.get(request)?.());
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** How often the log is told, ms: a line for each refusal would be more to do. */
const TELL = 60_000;

function countRefused(app: App) {
  let refused = 0;
  let due: NodeJS.Timeout | undefined;
  const tell = () => {
    clearTimeout(due);
    due = undefined;
    if (refused > 0) app.log.warn({ refused }, 'refused for overload');
    refused = 0;
  };
  return {
    tell,
    count() {
      refused += 1;
      due ??= setTimeout(tell, TELL).unref();
    },
  };
}

function kindOf({ method, headers }: FastifyRequest): 'stranger' | 'reader' | 'change' {
  if (method !== 'GET' && method !== 'HEAD') return 'change';
  return headers['access-token'] === undefined ? 'stranger' : 'reader';
}
