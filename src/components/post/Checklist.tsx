import type { Task } from '../../../contract/extra.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { BOX, CHECKED } from '../icons/extra-icons.tsx';
import { Line } from './rich/InlineText.tsx';
import type { ExtraOf } from './types.ts';

/** Checklist, in the last state that the source sent. Tasks can only be ticked in Telegram. */
export function Checklist({ extra, parts, ...around }: ExtraOf<'checklist'>) {
  const m = useMsg();
  const { title, tasks } = extra;
  const done = tasks.filter((task) => task.done).length;
  return (
    <section className="framed checklist">
      <p className="poll-question" dir="auto">
        <Line words={title} around={around} />
      </p>
      <ul>
        {tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same words
          <li key={index} dir={parts.directionOf(task.text)}>
            <Tick done={task.done} />
            <TaskText task={task} around={around} />
          </li>
        ))}
      </ul>
      <p className="soft">{m.msg(str`${m.number(done)} of ${m.number(tasks.length)} done`)}</p>
    </section>
  );
}

const TaskText = ({ task, around }: { readonly task: Task; readonly around: Parameters<typeof Line>[0]['around'] }) => (
  <span className={task.done ? 'done' : undefined}>
    <Line words={task} around={around} />
  </span>
);

/** Checkbox of a task, with its state as text for screen readers. */
export function Tick({ done }: { readonly done: boolean }) {
  const { msg } = useMsg();
  return (
    <span className="tick">
      {done ? CHECKED : BOX}
      <span className="hidden">{done ? msg('Done:') : msg('To do:')} </span>
    </span>
  );
}
