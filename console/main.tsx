import { type CSSVariablesResolver, createTheme, MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepFocus } from './ui/keep-focus.ts';

const theme = createTheme({
  primaryColor: 'indigo',
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  components: {
    Table: { styles: { th: { fontWeight: 600 } } },
    // A dialog that fades would show, while it goes, what its button has become.
    Modal: {
      defaultProps: { transitionProps: { duration: 0 } },
      styles: { title: { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' } },
    },
    Anchor: { defaultProps: { fz: 'inherit' } },
    // Its text is never cut off.
    Badge: { defaultProps: { variant: 'default', tt: 'none' } },
    InputWrapper: {
      // Without a field that is required, the button of a form does nothing: that says it.
      defaultProps: {
        withAsterisk: false,
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      },
    },
  },
});

/** Texts have the contrast of WCAG 2.2 AA on every background here, which those of Mantine have not. */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
  },
  light: {
    '--mantine-color-indigo-filled': '#4263eb',
    '--mantine-color-indigo-filled-hover': '#3b5bdb',
    '--mantine-color-anchor': '#3b5bdb',
    '--mantine-color-dimmed': '#5a6068',
    '--mantine-color-placeholder': '#6a7078',
    '--mantine-color-red-outline': '#c92a2a',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-gray-light-color': '#444a52',
    '--mantine-color-orange-outline': '#a8430b',
    '--mantine-color-gray-outline': '#5a6068',
  },
  dark: {
    '--mantine-color-dimmed': '#aeb1b6',
    '--mantine-color-placeholder': '#9b9fa5',
    '--mantine-color-gray-outline': '#aeb1b6',
  },
});

keepFocus();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <App />
    </MantineProvider>,
  );
