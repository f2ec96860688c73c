/** What the server says in English, whatever the reader's language is. */
export const ServerWords = ({ text }: { readonly text: string }) => (
  <span lang="en" dir="auto" className="server-words">
    {text}
  </span>
);
