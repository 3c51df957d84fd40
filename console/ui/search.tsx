import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useQuery } from './route.tsx';

/** Milliseconds without a key before the address, and with it the list, changes. */
const pause = 250;

/** Searches as one types. The address has the text. */
export function Search({ label, placeholder }: { label: string; placeholder: string }) {
  const [query, setQuery] = useQuery();
  const currentQuery = query.get('query') ?? '';
  const [text, setText] = useState(currentQuery);
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    setText('');
    // The button goes away.
    input.current?.focus();
  };
  // What is typed may end with a blank before the next word, which the address has not.
  useEffect(
    () => setText((current) => (current.trim() === currentQuery ? current : currentQuery)),
    [currentQuery],
  );
  useEffect(() => {
    if (text.trim() === currentQuery) return undefined;
    const timer = setTimeout(() => setQuery({ query: text.trim() }), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      rightSection={
        text === '' ? undefined : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />
        )
      }
      miw={{ base: '100%', sm: 320 }}
      maxLength={128}
    />
  );
}
