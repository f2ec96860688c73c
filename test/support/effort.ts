const MEGABYTE = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `item ${at}`, tags: ['a', 'b'] })));

/**
 * Says how much of the processor some work takes, in megabytes of JSON that this machine would read meanwhile: neither a slow
 * machine nor a busy one makes it more.
 */
export function effort(work: () => void): number {
  const yardstick = Array.from({ length: 9 }, () => cpuTime(() => JSON.parse(MEGABYTE))).toSorted((one, other) => one - other)[4];
  return cpuTime(work) / (yardstick ?? Number.NaN);
}

function cpuTime(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
