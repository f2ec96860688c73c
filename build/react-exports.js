// React exports: an entry only for the bundler. Its code becomes a separate chunk, whose name does not change when our
// code changes. Our own files import React from here by name: calls through the objects of its CommonJS modules would
// be slower, and larger too. Features of react-dom that `UNUSED_IN_REACT_DOM` in build/vendor-patches.mjs removes
// (hydration, ViewTransition, Activity, useActionState and others) must not be added here.
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
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} = React;
