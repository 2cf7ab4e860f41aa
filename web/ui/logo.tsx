import { useState } from 'preact/hooks'

/**
 * A brand's logo; one that does not load is left out ([branding.theme.9]). It has no text of its own, because the name
 * stands beside it.
 */
export function Logo({ url }: { readonly url: string | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  if (url === null || url === missing) return null
  return <img class="logo" data-logo src={url} alt="" referrerpolicy="no-referrer" onError={() => setMissing(url)} />
}
