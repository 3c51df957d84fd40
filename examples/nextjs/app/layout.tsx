import type { Metadata } from 'next';
import { type ReactNode, Suspense } from 'react';
import { Session } from './session';

export const metadata: Metadata = { title: 'Notes', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body>
        <Session>
          <main>
            {/* With `cacheComponents`, a page that reads the cookie needs it. */}
            <Suspense>{children}</Suspense>
          </main>
        </Session>
      </body>
    </html>
  );
}
