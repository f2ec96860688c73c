const MEGABYTE = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `item ${at}`, tags: ['a', 'b'] })));

/**
 * Measures the CPU time of some work, in megabytes of JSON that this machine would parse in the same time. So the result
 * depends neither on the speed nor on the load of the machine.
 */
export function measureRelativeCpuTime(work: () => void): number {
  const parseTime = Array.from({ length: 9 }, () => cpuTime(() => JSON.parse(MEGABYTE))).toSorted((one, other) => one - other)[4];
  return cpuTime(work) / (parseTime ?? Number.NaN);
}

function cpuTime(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
