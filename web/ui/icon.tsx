import { h } from 'preact'
import type { IconNode } from 'lucide'

/** An icon of lucide beside words that say the same, so screen readers skip it. */
export function Icon({ of, size = 20 }: { readonly of: IconNode; readonly size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
