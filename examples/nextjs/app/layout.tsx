import type { ReactNode } from 'react'

export const metadata = { title: 'A product of yours', icons: 'data:,' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body
        style={{ font: '16px/1.5 system-ui, sans-serif', margin: '1rem auto', maxWidth: '64rem', padding: '0 1rem' }}
      >
        {children}
      </body>
    </html>
  )
}
