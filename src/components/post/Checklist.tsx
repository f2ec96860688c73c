import type { Task } from '../../../contract/extra.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { CHECKED_ICON, UNCHECKED_ICON } from '../icons/extra-icons.tsx';
import { InlineText } from './rich/InlineText.tsx';
import type { ExtraPropsOf } from './types.ts';

/** Checklist: renders the last state that the source sent. Readers can only change it in Telegram. */
export function Checklist({ extra, commonChunk, ...context }: ExtraPropsOf<'checklist'>) {
  const messages = useMsg();
  const { title, tasks } = extra;
  const doneCount = tasks.filter((task) => task.done).length;
  return (
    <section className="framed checklist">
      <p className="poll-question" dir="auto">
        <InlineText content={title} context={context} />
      </p>
      <ul>
        {tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same text
          <li key={index} dir={commonChunk.firstLetterDirection(task.text)}>
            <Tick done={task.done} />
            <TaskText task={task} context={context} />
          </li>
        ))}
      </ul>
      <p className="soft">{messages.msg(str`${messages.number(doneCount)} of ${messages.number(tasks.length)} done`)}</p>
    </section>
  );
}

const TaskText = ({ task, context }: { readonly task: Task; readonly context: Parameters<typeof InlineText>[0]['context'] }) => (
  <span className={task.done ? 'done' : undefined}>
    <InlineText content={task} context={context} />
  </span>
);

/** Checkbox of a task, with its state as text for screen readers. */
export function Tick({ done }: { readonly done: boolean }) {
  const { msg } = useMsg();
  return (
    <span className="tick">
      {done ? CHECKED_ICON : UNCHECKED_ICON}
      <span className="hidden">{done ? msg('Done:') : msg('To do:')} </span>
    </span>
  );
}
