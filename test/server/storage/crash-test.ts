// Crash test of a store: kills a process that writes, at random moments, and searches for the writes that it acknowledged. The
// test of an engine calls this with the options that open its store. KILLS sets the number of kills.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { openStore } from '../../../server/storage/open.ts';
import { type CrashTarget, crashTargetOf, importOne, isImportComplete, KINDS, type WriteKind } from './crash-writes.ts';

const WRITER = resolve(import.meta.dirname, '../../../.test/kills/writer.js');
let built: Promise<unknown> | null = null;

/** The options that open a store, in this process and in the one that is killed. */
export type OpenOptions = Parameters<typeof openStore>[0];

/**
 * Kills a writer `afterwards` ms after its output matches `line`. Before that it calls `crash` with the writes acknowledged
 * until then. Returns all acknowledged writes as `kind number`.
 */
export async function runWriterAndKill(
  opening: OpenOptions,
  life: number,
  line: RegExp,
  afterwards: number,
  crash: (acknowledged: readonly string[]) => Promise<void> = async () => {},
): Promise<string[]> {
  const isAcknowledged = (text: string) => text.includes(' ');
  built ??= build({
    entryPoints: { writer: resolve(import.meta.dirname, 'crash-writer.ts') },
    ...{ outdir: resolve(WRITER, '..'), bundle: true, platform: 'node', format: 'esm', packages: 'external' },
  });
  await built;
  const child = spawn(process.execPath, [WRITER, JSON.stringify(opening), String(life)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  await new Promise<void>((begun) => {
    createInterface(child.stdout).on('line', (text) => {
      lines.push(text);
      if (line.test(text)) begun();
    });
    child.once('exit', () => begun());
  });
  await wait(afterwards);
  assert.equal(child.exitCode, null, 'the writer exited by itself');
  await crash(lines.filter(isAcknowledged));
  child.kill('SIGKILL');
  await closed;
  return lines.filter(isAcknowledged);
}

interface KillResult {
  kills: number;
  acknowledged: number;
  lost: string[];
  /** Number of imports that a kill interrupted. The store reported them as incomplete, and a second import completed them. */
  cutOff: number;
}

/**
 * Kills a writer repeatedly on one store, and calls `crash` each time. `isSound` is the integrity check of the engine for its
 * files.
 */
export async function runKillTest(
  engine: string,
  kills: number,
  opening: OpenOptions,
  isSound: () => Promise<void>,
  crash?: () => Promise<void>,
): Promise<KillResult> {
  const result: KillResult = { kills, acknowledged: 0, lost: [], cutOff: 0 };
  const acknowledged = new Map<string, number[]>(Object.keys(KINDS).map((name) => [name, []]));
  for (let life = 1; life <= kills; life += 1) {
    const writes = await runWriterAndKill(opening, life, /^post /, Math.random() * 2000, crash);
    result.acknowledged += writes.length;
    for (const line of writes) acknowledged.get(line.split(' ')[0] ?? '')?.push(Number(line.split(' ')[1]));
    await isSound();
    const store = await openStore(opening);
    const target = crashTargetOf(store, opening.dataDir);
    for (const [name, kind] of Object.entries<WriteKind>(KINDS)) {
      const lost = await kind.findMissing(target, acknowledged.get(name) ?? []);
      result.lost.push(...lost.map((n) => `${name} ${n}`));
    }
    result.cutOff += await finishImports(target);
    await store.close();
  }
  const found = result.acknowledged - new Set(result.lost).size;
  console.log(
    `${engine}: ${kills} kills, ${result.acknowledged} acknowledged, ${found} found, ${new Set(result.lost).size} lost, ` +
      `${result.cutOff} imports cut off and done again (${[...acknowledged].map(([name, list]) => `${name} ${list.length}`).join(', ')})`,
  );
  return result;
}

/**
 * Checks that every import is complete, or else is reported as incomplete and not visible. Imports incomplete ones again and
 * checks that they are complete then.
 */
export async function finishImports(target: CrashTarget): Promise<number> {
  let cutOff = 0;
  for (const { id } of await target.store.channels({ privateChannels: 'all' }))
    assert.ok(Number(id) < 1_000_000 || (await isImportComplete(target, Number(id))), `an incomplete import of ${id} is visible`);
  for (const id of await target.store.incompleteImports()) {
    await importOne(target, Number(id));
    assert.ok(await isImportComplete(target, Number(id)), `the import of ${id} is incomplete after it was repeated`);
    cutOff += 1;
  }
  return cutOff;
}
