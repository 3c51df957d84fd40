import { createTheme, MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const theme = createTheme({
  primaryColor: 'indigo',
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  components: {
    Table: { styles: { th: { fontWeight: 600 } } },
    Anchor: { defaultProps: { fz: 'inherit' } },
    // Its text is never cut off.
    Badge: { defaultProps: { variant: 'default', tt: 'none', miw: 'max-content' } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
  },
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <App />
    </MantineProvider>,
  );
