// An entry only for the bundler: what it reaches becomes a chunk of its own, which a change of ours does not rename.
import 'react';
import 'react/jsx-runtime';
import 'react-dom';
import 'react-dom/client';
