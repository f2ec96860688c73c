import { parseLaunchData } from '../../contract/launch-data.ts';
import type { LaunchFacts } from './host.ts';
import { keepLaunch, type Launch, START } from './launch.ts';
import { DATA } from './launch-kept.ts';

/** Answers from the launch parameters until they are dropped. */
export function launchFacts({ params, fresh }: Launch): LaunchFacts {
  const data = () => params.get(DATA) || null;
  const unverified = () => {
    const read = parseLaunchData(data() ?? '');
    return read.type === 'unverified' ? read : null;
  };
  return {
    launchData: data,
    readerId: () => unverified()?.user.id ?? null,
    language: () => unverified()?.user.languageCode ?? null,
    startParam: () => (fresh ? (unverified()?.startParam ?? params.get(START)) : null),
    dropLaunchData() {
      params.delete(DATA);
      params.delete(START);
      keepLaunch(params);
    },
  };
}
