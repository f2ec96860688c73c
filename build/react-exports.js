// An entry only for the bundler: what it reaches becomes a chunk of its own, which a change of ours does not rename. Our own
// files get React from here, by name: through the objects of its CommonJS modules each call is longer, and not only in bytes.
import React from 'react';
import runtime from 'react/jsx-runtime';
import 'react-dom';
import 'react-dom/client';

export const { Fragment, jsx, jsxs } = runtime;
export const {
  Component,
  createContext,
  lazy,
  memo,
  startTransition,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} = React;
