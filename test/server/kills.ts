// Kills a process that writes, at random moments, and looks for what it acknowledged. An engine's own test calls this with what
// opens its store; KILLS sets how many kills there are.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { openStore } from '../../server/storage/open.ts';
import { importOne, isWhole, KINDS, type Kind, type Place } from './kills-kinds.ts';

const WRITER = resolve(import.meta.dirname, '../../.test/kills/writer.js');
let built: Promise<unknown> | null = null;

/** How a store is opened, here and in the process that dies. */
export type Opening = Parameters<typeof openStore>[0];

/**
 * Kills a writer so many ms after it said such a line, and what `crash` kills just before, which is given what was acknowledged
 * until then; gives all that was, as `kind number`.
 */
export async function liveAndDie(
  opening: Opening,
  life: number,
  line: RegExp,
  afterwards: number,
  crash: (acknowledged: readonly string[]) => Promise<void> = async () => {},
): Promise<string[]> {
  const isAcknowledged = (said: string) => said.includes(' ');
  built ??= build({
    entryPoints: { writer: resolve(import.meta.dirname, 'kills-writer.ts') },
    ...{ outdir: resolve(WRITER, '..'), bundle: true, platform: 'node', format: 'esm', packages: 'external' },
  });
  await built;
  const child = spawn(process.execPath, [WRITER, JSON.stringify(opening), String(life)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  await new Promise<void>((begun) => {
    createInterface(child.stdout).on('line', (said) => {
      lines.push(said);
      if (line.test(said)) begun();
    });
    child.once('exit', () => begun());
  });
  await wait(afterwards);
  assert.equal(child.exitCode, null, 'the writer ended by itself');
  await crash(lines.filter(isAcknowledged));
  child.kill('SIGKILL');
  await closed;
  return lines.filter(isAcknowledged);
}

interface Tally {
  kills: number;
  acknowledged: number;
  lost: string[];
  /** Imports that a kill cut off, which then said so and were done again. */
  cutOff: number;
}

/**
 * Kills a writer again and again on one store, and what `crash` kills with it; `isSound` is the engine's own check of what lies
 * on the disk.
 */
export async function killRun(
  engine: string,
  kills: number,
  opening: Opening,
  isSound: () => Promise<void>,
  crash?: () => Promise<void>,
): Promise<Tally> {
  const tally: Tally = { kills, acknowledged: 0, lost: [], cutOff: 0 };
  const acknowledged = new Map<string, number[]>(Object.keys(KINDS).map((name) => [name, []]));
  for (let life = 1; life <= kills; life += 1) {
    const said = await liveAndDie(opening, life, /^post /, Math.random() * 2000, crash);
    tally.acknowledged += said.length;
    for (const line of said) acknowledged.get(line.split(' ')[0] ?? '')?.push(Number(line.split(' ')[1]));
    await isSound();
    const store = await openStore(opening);
    const place = { store, dataDir: opening.dataDir };
    for (const [name, kind] of Object.entries<Kind>(KINDS)) {
      const lost = await kind.lost(place, acknowledged.get(name) ?? []);
      tally.lost.push(...lost.map((n) => `${name} ${n}`));
    }
    tally.cutOff += await finishImports(place);
    await store.close();
  }
  const found = tally.acknowledged - new Set(tally.lost).size;
  console.log(
    `${engine}: ${kills} kills, ${tally.acknowledged} acknowledged, ${found} found, ${new Set(tally.lost).size} lost, ` +
      `${tally.cutOff} imports cut off and done again (${[...acknowledged].map(([name, list]) => `${name} ${list.length}`).join(', ')})`,
  );
  return tally;
}

/** Every import is whole, or is said not to be and nothing of it is seen; one that is not becomes whole when it is done again. */
export async function finishImports(place: Place): Promise<number> {
  let cutOff = 0;
  for (const { id } of await place.store.channels({ privateChannels: 'all' }))
    assert.ok(Number(id) < 1_000_000 || (await isWhole(place, Number(id))), `half of the import of ${id} is seen`);
  for (const id of await place.store.brokenImports()) {
    await importOne(place, Number(id));
    assert.ok(await isWhole(place, Number(id)), `the import of ${id} is not whole when it is done again`);
    cutOff += 1;
  }
  return cutOff;
}
